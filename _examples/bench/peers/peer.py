"""What the peers' scripts share: an optimiser as a worker of package bridge.

Setup: {"variant", "space", "conditions", "seed", "threads", "trials"}. Request: {"trials":
those finished since the last request, "new": whether a trial begins, "param":
the parameter that is needed}. Result: {"values", "seconds", "cpu", "peak_rss"}:
values of the trial that was begun, with the one needed among them, and what they
took. The objective is to be minimised.

The space is a list of parameters, or null where the objective decides by some
values which others it needs. A parameter is {"name", "kind", ...}: continuous
with low and high and perhaps log, nominal with choices, or ordinal with levels
equally spaced values from low to high. The optimisers see an ordinal one as the
integers 0 to levels - 1. A condition is {"param", "parent", "choices"}, see
problems.Condition; conditions are null where all parameters are always there. A
trial is {"params", "values", "value": number, or null if it failed, "measured"}. Measured is
{"y", "c"} of a trial with constraints, failed or not: its value and by how much each
constraint is violated, by name; "c" is null where there are none.
"""

import time
from importlib import metadata

import bridge


class Peer:
    """An optimiser that plans whole points. ask() returns one, and
    tell(point, value, trial) takes one; value is None for a failed trial."""

    def __init__(self, setup):
        if setup["space"] is None:
            raise ValueError("it needs the whole space")
        self.space = setup["space"]
        self.threads = setup["threads"]

    def suggest(self, request):
        point = self.ask()
        return {p["name"]: outside(p, point[p["name"]]) for p in self.space if p["name"] in point}


def serve(make, packages):
    """make takes the setup and returns a Peer."""

    def start(setup):
        peer = make(setup)

        def tell_all(trials):
            for trial in trials:
                point = {p["name"]: inside(p, trial["values"][p["name"]]) for p in trial["params"]}
                peer.tell(point, trial["value"], trial)

        def suggest(request):
            tell_all(request["trials"])
            cpu, start = time.process_time(), time.perf_counter()
            values = peer.suggest(request)
            return {
                "values": values,
                "seconds": time.perf_counter() - start,
                "cpu": time.process_time() - cpu,
                "peak_rss": peak_rss(),
            }

        tell_all(setup["trials"])
        return {"version": versions(packages)}, suggest

    bridge.serve(start, packages)


def versions(packages):
    return ", ".join("%s %s" % (name, metadata.version(name)) for name in packages.values())


def inside(param, value):
    """The value as the optimiser sees it."""
    if param["kind"] == "ordinal":
        return round((value - param["low"]) / step(param))
    if param["kind"] == "continuous":
        return float(value)  # JSON has 1.0 as 1
    return value


def outside(param, value):
    """The inverse of inside, in types that JSON knows."""
    if param["kind"] == "ordinal":
        return param["low"] + int(value) * step(param)
    if param["kind"] == "continuous":
        return min(max(float(value), param["low"]), param["high"])
    return str(value)


def step(param):
    return (param["high"] - param["low"]) / max(param["levels"] - 1, 1) or 1.0


def config_space(setup):
    """The space for ConfigSpace, which SMAC and BOHB use."""
    import ConfigSpace as cs

    space = cs.ConfigurationSpace(seed=setup["seed"])
    for p in setup["space"]:
        if p["kind"] == "continuous":
            param = cs.UniformFloatHyperparameter(p["name"], p["low"], p["high"], log=p.get("log", False))
        elif p["kind"] == "ordinal":
            param = cs.UniformIntegerHyperparameter(p["name"], 0, p["levels"] - 1)
        else:
            param = cs.CategoricalHyperparameter(p["name"], p["choices"])
        space.add(param)
        conditions = [
            cs.InCondition(param, space[c["parent"]], c["choices"])
            for c in setup["conditions"] or []
            if c["param"] == p["name"]
        ]
        if conditions:
            space.add(conditions[0] if len(conditions) == 1 else cs.AndConjunction(*conditions))
    return space


def peak_rss():
    """Largest resident memory in bytes, 0 where /proc does not tell."""
    try:
        with open("/proc/self/status") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return 1024 * int(line.split()[1])
    except OSError:
        pass
    return 0
