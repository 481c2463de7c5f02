"""Suggestions by Optuna's samplers, for bench_suggest to time.

Speaks JSON, a line per message. The first line on stdin says which sampler to
use on what; the answer is {"version": ...}, or {"missing": [...]} with the
modules that cannot be imported. With "probe", that is all. Otherwise each
suggestion is a line on stdout, its parameters as Goptuna represents them (of a
choice, its number) and the seconds it took, by the clock and of processors, and
the objective's value comes back as a line on stdin.
"""

import importlib
import json
import sys
import time
import warnings

MODULES = {"tpe": ["optuna"], "gp": ["optuna", "scipy", "torch"]}

answers = sys.stdout
sys.stdout = sys.stderr  # what a library prints is no answer


def answer(message):
    answers.write(json.dumps(message) + "\n")
    answers.flush()


def make_sampler(request):
    import optuna

    if request["sampler"] == "tpe":
        return optuna.samplers.TPESampler(seed=request["seed"])
    import torch

    torch.set_num_threads(request["procs"])
    return optuna.samplers.GPSampler(seed=request["seed"])


def make_distribution(param):
    import optuna.distributions as d

    if param["kind"] == "float":
        return d.FloatDistribution(param["low"], param["high"], log=param["log"])
    if param["kind"] == "int":
        return d.IntDistribution(int(param["low"]), int(param["high"]))
    return d.CategoricalDistribution(param["choices"])


def external(param, x):
    if param["kind"] == "float":
        return x
    return int(x) if param["kind"] == "int" else param["choices"][int(x)]


def internal(param, value):
    return param["choices"].index(value) if param["kind"] == "categorical" else float(value)


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


def suggest(request):
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    params = request["params"]
    distributions = {p["name"]: make_distribution(p) for p in params}
    study = optuna.create_study(sampler=make_sampler(request))
    for trial in request["trials"]:
        values = {p["name"]: external(p, x) for p, x in zip(params, trial["x"])}
        study.add_trial(
            optuna.trial.create_trial(params=values, distributions=distributions, value=trial["value"])
        )
    for _ in range(request["suggestions"]):
        cpu, start = time.process_time(), time.perf_counter()
        trial = study.ask(distributions)
        seconds = time.perf_counter() - start
        cpu = time.process_time() - cpu
        x = [internal(p, trial.params[p["name"]]) for p in params]
        answer({"x": x, "seconds": seconds, "cpu": cpu, "peak_rss": peak_rss()})
        study.tell(trial, json.loads(sys.stdin.readline())["value"])


def main():
    warnings.simplefilter("ignore")  # GPSampler is experimental
    request = json.loads(sys.stdin.readline())
    versions, missing = [], []
    for name in MODULES[request["sampler"]]:
        try:
            versions.append(name + " " + importlib.import_module(name).__version__)
        except ImportError:
            missing.append(name)
    if missing:
        answer({"missing": missing})
        return
    answer({"version": ", ".join(versions)})
    if not request.get("probe"):
        suggest(request)


main()
