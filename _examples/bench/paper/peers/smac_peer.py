"""SMAC3's optimisation of hyperparameters, see peer.py."""

import peer

STARTUP_TRIALS = 10  # as for the other methods


def make(setup):
    from ConfigSpace import Configuration
    from smac import HyperparameterOptimizationFacade as Facade
    from smac import Scenario
    from smac.runhistory.dataclasses import TrialInfo, TrialValue
    from smac.runhistory.enumerations import StatusType

    space = peer.config_space(setup)
    scenario = Scenario(
        space, deterministic=True, n_trials=100_000, seed=setup["seed"], output_directory="smac", use_default_config=False
    )
    facade = Facade(
        scenario,
        lambda config, seed: 0.0,
        initial_design=Facade.get_initial_design(scenario, n_configs=STARTUP_TRIALS, max_ratio=1.0),
        logging_level=40,
        overwrite=True,
    )
    asked, worst = [], None

    def ask():
        asked.append(facade.ask())
        return dict(asked[-1].config)

    def tell(point, value):
        nonlocal worst
        config = Configuration(space, values=point)
        info = TrialInfo(config=config, seed=0)
        for other in asked:
            if other.config == config:
                asked.remove(other)
                info = other
                break
        if value is None:  # an infinite cost, SMAC's own for a crash, is one that its model cannot take
            facade.tell(info, TrialValue(cost=worst or 0.0, status=StatusType.CRASHED))
        else:
            worst = value if worst is None else max(worst, value)
            facade.tell(info, TrialValue(cost=value))

    return ask, tell


if __name__ == "__main__":
    peer.serve(make, {"ConfigSpace": "ConfigSpace", "smac": "smac"})
