"""Measures the suggestion service: resident memory, and seconds to a reply.

    python3 measure.py --service SERVICE [--trials 300] [--prefix COMMAND]
    python3 measure.py --service SERVICE --skopt PYTHON

An experiment with ten parameters gets three suggestions at a time, up to so many
trials. At the end the service is asked for three more, with and without the
setting that saves a fit, and for 100 at once. COMMAND starts the service, e.g. in
a control group with half a core. Where other processes are busy, too, the seconds
of processor time are the ones to trust: twice as many pass on half a core.

With --skopt, the same 50 trials are run one by one with the service and with
scikit-optimize as in Katib's service for bayesianoptimization, by an interpreter
that has it; both in processes of their own.
"""

import argparse
import math
import os
import resource
import shlex
import statistics
import subprocess
import sys
import time

TRIALS_COMPARED = 50
CHOICES = ["a", "b", "c", "d", "e"]


def objective(values):
    """A valley like Rosenbrock's in four doubles, and bowls in the others."""
    x = [float(values[f"x{i}"]) for i in range(4)]
    lr = math.log10(float(values["lr"]))
    loss = sum((1 - a) ** 2 + 5 * (b - a * a) ** 2 for a, b in zip(x, x[1:]))
    loss += (lr + 3 + 0.2 * (int(values["layers"]) - 4)) ** 2
    loss += 0.1 * (int(values["layers"]) - 4) ** 2 + 0.1 * (math.log2(float(values["batch"])) - 6) ** 2
    return loss + 0.3 * abs(CHOICES.index(values["c0"]) - 1) + 0.3 * (values["c1"] != "d") + 0.1 * int(values["k"])


def experiment(name):
    from kubeflow.katib import katib_api_pb2 as api

    def parameter(name, kind, low="", high="", values=(), distribution=api.UNIFORM):
        space = api.FeasibleSpace(min=low, max=high, list=values, distribution=distribution)
        return api.ParameterSpec(name=name, parameter_type=kind, feasible_space=space)

    parameters = [parameter(f"x{i}", api.DOUBLE, "-2", "2") for i in range(4)]
    parameters += [
        parameter("lr", api.DOUBLE, "1e-6", "1", distribution=api.LOG_UNIFORM),
        parameter("layers", api.INT, "1", "8"),
        parameter("k", api.INT, "0", "50"),
        parameter("batch", api.DISCRETE, values=["16", "32", "64", "128", "256"]),
        parameter("c0", api.CATEGORICAL, values=CHOICES),
        parameter("c1", api.CATEGORICAL, values=CHOICES),
    ]
    return api.Experiment(
        name=name,
        spec=api.ExperimentSpec(
            algorithm=api.AlgorithmSpec(algorithm_name="fm"),
            objective=api.ObjectiveSpec(type=api.MINIMIZE, objective_metric_name="loss"),
            parameter_specs=api.ExperimentSpec.ParameterSpecs(parameters=parameters),
        ),
    )


def run(controller, trials, at_once):
    """Returns the best value, and the seconds of each reply."""
    from controller import Condition, assignments

    best, seconds = math.inf, []
    while len(controller.trials) < trials:
        start = time.monotonic()
        created = controller.suggestions(at_once)
        seconds.append(time.monotonic() - start)
        for trial in created:
            value = objective(assignments(trial))
            controller.finish(trial, Condition.SUCCEEDED, value)
            best = min(best, value)
    return best, seconds


def measure(args):
    from check import Service
    from controller import Controller

    service = Service(os.path.abspath(args.service), shlex.split(args.prefix))
    try:
        c = Controller(service.address, experiment("measure"))
        best, seconds = run(c, args.trials, 3)
        print(f"{args.trials} trials: best {best:.3f}; 3 suggestions in {statistics.median(seconds):.2f} s (median), "
              f"{max(seconds):.2f} s (most); {service.cpu():.1f} s of processor time in all; "
              f"{service.megabytes():.0f} MB at most", flush=True)
        for title, wanted, settings in (("3 more", 3, c.settings), ("3 more, without a fit", 3, {}), ("100 more", 100, c.settings)):
            c.settings = settings
            start, cpu = time.monotonic(), service.cpu()
            c.ask(c.request(wanted), timeout=600)
            print(f"{title}: {time.monotonic() - start:.2f} s, {service.cpu() - cpu:.2f} s of processor time; "
                  f"{service.megabytes():.0f} MB at most", flush=True)
    finally:
        service.kill()


def compare(args):
    from check import Service
    from controller import Controller

    service = Service(os.path.abspath(args.service), shlex.split(args.prefix))
    try:
        for seed in range(args.seeds):
            cpu = service.cpu()
            e = experiment(f"compare-{seed}")
            e.spec.algorithm.algorithm_settings.add(name="random_state", value=str(seed))
            best, seconds = run(Controller(service.address, e), TRIALS_COMPARED, 1)
            print(f"fm     seed {seed}: best {best:.3f} in {sum(seconds):.1f} s, {service.cpu() - cpu:.1f} s of processor time, "
                  f"{service.megabytes():.0f} MB at most", flush=True)
            subprocess.check_call(shlex.split(args.prefix) + [args.skopt, __file__, "--as-skopt", str(seed)])
    finally:
        service.kill()


def skopt_seed(seed):
    """Runs scikit-optimize with the defaults and the space of Katib's service."""
    import numpy as np

    np.int = int  # which scikit-optimize 0.9 needs with NumPy 1.24 and later
    from skopt import Optimizer
    from skopt.space import Categorical, Integer, Real

    space = [Real(-2.0, 2.0, "uniform", name=f"x{i}") for i in range(4)]
    space += [
        Real(1e-6, 1.0, "log-uniform", name="lr"), Integer(1, 8, name="layers"), Integer(0, 50, name="k"),
        Categorical(["16", "32", "64", "128", "256"], name="batch"),
        Categorical(CHOICES, name="c0"), Categorical(CHOICES, name="c1"),
    ]
    optimizer = Optimizer(space, base_estimator="GP", n_initial_points=10, acq_func="gp_hedge", acq_optimizer="auto", random_state=seed)
    best, seconds, cpu = math.inf, 0.0, time.process_time()
    for _ in range(TRIALS_COMPARED):
        start = time.monotonic()
        point = optimizer.ask(n_points=1)[0]
        seconds += time.monotonic() - start
        value = objective({d.name: str(v) for d, v in zip(space, point)})
        best = min(best, value)
        start = time.monotonic()
        optimizer.tell([point], [value])
        seconds += time.monotonic() - start
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"skopt  seed {seed}: best {best:.3f} in {seconds:.1f} s, {time.process_time() - cpu:.1f} s of processor time, "
          f"{megabytes:.0f} MB at most", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--service")
    parser.add_argument("--prefix", default="")
    parser.add_argument("--trials", type=int, default=300)
    parser.add_argument("--skopt", metavar="PYTHON")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--as-skopt", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.as_skopt is not None:
        skopt_seed(args.as_skopt)
    elif args.skopt:
        compare(args)
    else:
        measure(args)


if __name__ == "__main__":
    sys.exit(main())
