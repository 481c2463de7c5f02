"""Ends runs by Optuna's terminator, for comparison with "-measure stop".

    python3 terminator.py [--evaluator emmr|regret] DIRECTORY [SEEDS]

reads the files PROBLEM-SEED.json that `-studies DIRECTORY` has written, of the
first so many seeds, and asks the terminator after 20, 25, 30, ... trials: the
improvement evaluator against MedianErrorEvaluator, with their own settings. It
needs optuna, scipy and torch.
"""

import argparse
import collections
import json
import math
import pathlib
import statistics
import warnings

import optuna
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.study import StudyDirection
from optuna.terminator import EMMREvaluator, MedianErrorEvaluator, RegretBoundEvaluator

FIRST, PERIOD = 20, 5


def distribution(d):
    a = d["attributes"]
    match d["name"]:
        case "CategoricalDistribution":
            return CategoricalDistribution(a["choices"])
        case "IntUniformDistribution":
            return IntDistribution(a["low"], a["high"])
        case "StepIntUniformDistribution":
            return IntDistribution(a["low"], a["high"], step=a["step"])
        case "DiscreteUniformDistribution":  # by its steps: the ends of Optuna's own must be exact
            return IntDistribution(0, round((a["high"] - a["low"]) / a["q"]))
        case "LogUniformDistribution":
            return FloatDistribution(a["low"], a["high"], log=True)
    return FloatDistribution(a["low"], a["high"])


def value(d, x):
    if d["name"] == "DiscreteUniformDistribution":
        return round((x - d["attributes"]["low"]) / d["attributes"]["q"])
    return x


def trials_of(file):
    trials = []
    for i, t in enumerate(file["trials"]):
        state = optuna.trial.TrialState.COMPLETE if t["value"] is not None else optuna.trial.TrialState.FAIL
        trial = optuna.trial.create_trial(
            state=state,
            value=t["value"],
            params={name: value(d, t["params"][name]) for name, d in t["distributions"].items()},
            distributions={name: distribution(d) for name, d in t["distributions"].items()},
        )
        trial.number = i
        trials.append(trial)
    return trials


def stop(trials, evaluator):
    """Returns after how many trials the run ends."""
    improvement = {"emmr": EMMREvaluator, "regret": RegretBoundEvaluator}[evaluator]()
    error = MedianErrorEvaluator(improvement)
    for n in range(FIRST, len(trials), PERIOD):
        first = [t for t in trials[:n] if t.state == optuna.trial.TrialState.COMPLETE]
        limit = error.evaluate(list(first), StudyDirection.MINIMIZE)
        if limit > 0 and improvement.evaluate(list(first), StudyDirection.MINIMIZE) < limit:
            return n
    return len(trials)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--evaluator", default="emmr", choices=["emmr", "regret"])
    parser.add_argument("directory")
    parser.add_argument("seeds", type=int, nargs="?", default=3)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    optuna.logging.disable_default_handler()
    by_problem = collections.defaultdict(list)
    for path in sorted(pathlib.Path(args.directory).glob("*.json"), key=lambda p: int(p.stem.rpartition("-")[2])):
        by_problem[path.stem.rpartition("-")[0]].append(path)
    everything = []
    print(f"optuna {optuna.__version__}, {args.evaluator}, {args.seeds} seeds")
    print("problem, median trials, mean loss, worst loss, over 1 %")
    for problem, paths in by_problem.items():
        results = []
        for path in paths[: args.seeds]:
            file = json.loads(path.read_text())
            values = [math.inf if t["value"] is None else t["value"] for t in file["trials"]]
            n = stop(trials_of(file), args.evaluator)
            results.append((n, (min(values[:n]) - min(values)) / (file["median"] - file["optimum"])))
        show(problem, results)
        everything += results
    show("all", everything)


def show(name, results):
    stops, losses = zip(*results)
    over = sum(x > 0.01 for x in losses)
    print(f"{name}, {statistics.median(stops):.0f}, {statistics.mean(losses):.4f}, {max(losses):.4f}, {over} of {len(losses)}", flush=True)


if __name__ == "__main__":
    main()
