"""Optuna's samplers, see peer.py. Variants: tpe, gp."""

import peer


def make(setup):
    import warnings

    import optuna
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
    from optuna.trial import TrialState, create_trial

    warnings.simplefilter("ignore")  # GPSampler is experimental
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    if setup["variant"] == "gp":
        import torch

        torch.set_num_threads(1)
        sampler = optuna.samplers.GPSampler(seed=setup["seed"])
    else:
        sampler = optuna.samplers.TPESampler(seed=setup["seed"])
    study = optuna.create_study(sampler=sampler)

    def distribution(p):
        if p["kind"] == "continuous":
            return FloatDistribution(p["low"], p["high"])
        if p["kind"] == "ordinal":
            return IntDistribution(0, p["levels"] - 1)
        return CategoricalDistribution(p["choices"])

    distributions = {p["name"]: distribution(p) for p in setup["space"]}
    asked = []

    def ask():
        asked.append(study.ask(distributions))
        return asked[-1].params

    def tell(point, value):
        state = TrialState.FAIL if value is None else TrialState.COMPLETE
        for trial in asked:
            if trial.params == point:
                asked.remove(trial)
                study.tell(trial, value, state)
                return
        study.add_trial(create_trial(state=state, params=point, distributions=distributions, value=value))

    return ask, tell


PACKAGES = {"optuna": "optuna"}
PACKAGES_GP = {"optuna": "optuna", "scipy": "scipy", "torch": "torch"}

if __name__ == "__main__":
    import sys

    peer.serve(make, PACKAGES_GP if "gp" in sys.argv else PACKAGES)
