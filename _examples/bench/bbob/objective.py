"""Evaluates functions of COCO's suites.

The setup names the suite. A request is {"problem": {"function": f, "dimension": d, "instance": i}},
with "points" for their values; without, the result says what the problem is: its bounds,
its number of integers, which come first, and its least value. Needs coco-experiment.
"""

import os

import bridge


def start(setup):
    import cocoex

    problems = {}

    def find(dimension, function, instance):
        key = (dimension, function, instance)
        if key not in problems:
            suite = cocoex.Suite(setup["suite"], "instances: %d" % instance, "dimensions: %d function_indices: %d" % (dimension, function))
            problems[key] = suite, suite[0]
        return problems[key][1]

    def handle(request):
        problem = find(**request["problem"])
        if "points" in request:
            return [float(problem(point)) for point in request["points"]]
        return {
            "lower": list(problem.lower_bounds),
            "upper": list(problem.upper_bounds),
            "integers": problem.number_of_integer_variables,
            "best": float(problem(best(problem))),
        }

    return {"coco-experiment": cocoex.__version__}, handle


def best(problem):
    """Returns where the problem is least, which COCO writes to a file only."""
    name = "._bbob_problem_best_parameter.txt"
    problem._best_parameter("print")
    with open(name, encoding="utf-8") as file:
        point = [float(word) for word in file.read().split()]
    os.remove(name)
    return point


bridge.serve(start, packages={"cocoex": "coco-experiment"})
