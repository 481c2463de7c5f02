"""Optuna's samplers, see peer.py. Variants: tpe, tpe-group, gp.

Asked parameter by parameter, as an objective of Optuna's does: they take every
space. They learn from constraints that are violated.
"""

import sys

import peer


class Optuna(peer.Peer):
    def __init__(self, setup):
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self.study = optuna.create_study(sampler=make_sampler(setup))
        self.trial = None

    def suggest(self, request):
        if request["new"]:
            self.trial = self.study.ask()
        p = request["param"]
        name = p["name"]
        if p["kind"] == "continuous":
            value = self.trial.suggest_float(name, p["low"], p["high"], log=p.get("log", False))
        elif p["kind"] == "ordinal":
            value = self.trial.suggest_int(name, 0, p["levels"] - 1)
        else:
            value = self.trial.suggest_categorical(name, p["choices"])
        return {name: peer.outside(p, value)}

    def tell(self, point, value, trial):
        from optuna.trial import TrialState, create_trial

        constraints = trial["measured"]["c"] or {}
        if constraints:  # to Optuna, a trial that violates them has a value
            value = trial["measured"].get("y")
        state = TrialState.FAIL if value is None else TrialState.COMPLETE
        if self.trial is not None and self.trial.params == point:
            for name, violation in constraints.items():
                self.trial.set_constraint(name, violation)
            self.study.tell(self.trial, value, state)
            self.trial = None
            return
        distributions = {p["name"]: distribution(p) for p in trial["params"]}
        frozen = create_trial(
            state=state, params=point, distributions=distributions, value=value, constraints=constraints
        )
        self.study.add_trial(frozen)


def make_sampler(setup):
    import warnings

    import optuna

    warnings.simplefilter("ignore")  # what is used is experimental
    if setup["variant"] == "gp":
        import torch

        torch.set_num_threads(setup["threads"])
        # What it draws independently is what it is known for: no warnings.
        return optuna.samplers.GPSampler(seed=setup["seed"], warn_independent_sampling=False)
    if setup["variant"] == "tpe-group":
        return optuna.samplers.TPESampler(
            seed=setup["seed"], multivariate=True, group=True, warn_independent_sampling=False
        )
    return optuna.samplers.TPESampler(seed=setup["seed"])


def distribution(p):
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    if p["kind"] == "continuous":
        return FloatDistribution(p["low"], p["high"], log=p.get("log", False))
    if p["kind"] == "ordinal":
        return IntDistribution(0, p["levels"] - 1)
    return CategoricalDistribution(p["choices"])


PACKAGES = {"optuna": "optuna"}
PACKAGES_GP = {"optuna": "optuna", "scipy": "scipy", "torch": "torch"}

if __name__ == "__main__":
    peer.serve(Optuna, PACKAGES_GP if "gp" in sys.argv else PACKAGES)
