"""Optuna's samplers for bench_conditional, one parameter at a time.

Speaks JSON, a line per message. The first line on stdin names the sampler and
the seed; the answer is {"missing": [...]} with the modules that cannot be
imported, and if there are any, that is all. Each further line asks for a
parameter, and is answered by {"value": ...}, as Goptuna represents it: of a
choice, its number. A line with "tell" begins a new trial; it has the value of
the one before.
"""

import importlib
import json
import sys
import warnings

MODULES = {"tpe": ["optuna"], "gp": ["optuna", "scipy", "torch"]}

answers = sys.stdout
sys.stdout = sys.stderr  # what a library prints is no answer


def answer(message):
    answers.write(json.dumps(message) + "\n")
    answers.flush()


def missing(name):
    try:
        importlib.import_module(name)
    except ImportError:
        return True
    return False


def make_sampler(request):
    import optuna

    # What the two draw independently is what each is known for: no warnings.
    if request["sampler"] == "tpe":
        return optuna.samplers.TPESampler(
            seed=request["seed"], multivariate=True, group=True, warn_independent_sampling=False
        )
    import torch

    torch.set_num_threads(1)
    return optuna.samplers.GPSampler(seed=request["seed"], warn_independent_sampling=False)


def suggest(trial, question):
    name = question["name"]
    if question["kind"] == "categorical":
        choices = question["choices"]
        return choices.index(trial.suggest_categorical(name, choices))
    if question["kind"] == "int":
        return trial.suggest_int(name, question["low"], question["high"])
    return trial.suggest_float(name, question["low"], question["high"], log=question.get("log", False))


def main():
    warnings.simplefilter("ignore")  # both are experimental
    request = json.loads(sys.stdin.readline())
    absent = [name for name in MODULES[request["sampler"]] if missing(name)]
    answer({"missing": absent})
    if absent:
        return
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=make_sampler(request))
    trial = None
    for line in sys.stdin:
        question = json.loads(line)
        if "tell" in question:
            study.tell(trial, question["tell"])
            trial = None
        if trial is None:
            trial = study.ask()
        answer({"value": suggest(trial, question)})


main()
