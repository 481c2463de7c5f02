"""What the peers' scripts share: an optimiser as a worker of package bridge.

Setup: {"variant", "space": the parameters, "seed", "trials"}. Request:
{"trials"}: the trials finished since. Result: the values to try next. A trial is
{"values": ..., "value": number, or null if it failed}; the objective is to be
minimised.

A parameter is {"name", "kind", ...}: continuous with low and high, nominal with
choices, or ordinal with levels equally spaced values from low to high. The
optimisers see an ordinal one as the integers 0 to levels - 1.
"""

import bridge


def serve(make, packages):
    """make takes the setup and returns (ask, tell): ask() returns a point, and
    tell(point, value) takes one; value is None for a failed trial."""

    def start(setup):
        space = setup["space"]
        ask, tell = make(setup)

        def tell_all(trials):
            for trial in trials:
                tell({p["name"]: inside(p, trial["values"][p["name"]]) for p in space}, trial["value"])

        def suggest(request):
            tell_all(request["trials"])
            point = ask()
            return {p["name"]: outside(p, point[p["name"]]) for p in space}

        tell_all(setup["trials"])
        return None, suggest

    bridge.serve(start, packages)


def inside(param, value):
    """The value as the optimiser sees it."""
    if param["kind"] == "ordinal":
        return round((value - param["low"]) / step(param))
    return value


def outside(param, value):
    """The inverse of inside, in types that JSON knows."""
    if param["kind"] == "ordinal":
        return param["low"] + int(value) * step(param)
    if param["kind"] == "continuous":
        return min(max(float(value), param["low"]), param["high"])
    return str(value)


def step(param):
    return (param["high"] - param["low"]) / (param["levels"] - 1)


def config_space(setup):
    """The space for ConfigSpace, which SMAC and BOHB use."""
    import ConfigSpace as cs

    space = cs.ConfigurationSpace(seed=setup["seed"])
    for p in setup["space"]:
        if p["kind"] == "continuous":
            param = cs.UniformFloatHyperparameter(p["name"], p["low"], p["high"])
        elif p["kind"] == "ordinal":
            param = cs.UniformIntegerHyperparameter(p["name"], 0, p["levels"] - 1)
        else:
            param = cs.CategoricalHyperparameter(p["name"], p["choices"])
        space.add(param)
    return space
