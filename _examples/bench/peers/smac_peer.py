"""SMAC3's optimisation of hyperparameters, see peer.py."""

import peer

STARTUP_TRIALS = 10  # as for the other methods


class SMAC(peer.Peer):
    def __init__(self, setup):
        from smac import HyperparameterOptimizationFacade as Facade
        from smac import Scenario

        super().__init__(setup)
        self.configs = peer.config_space(setup)
        scenario = Scenario(
            self.configs, deterministic=True, n_trials=100_000, seed=setup["seed"], output_directory="smac", use_default_config=False
        )
        self.facade = Facade(
            scenario,
            lambda config, seed: 0.0,
            initial_design=Facade.get_initial_design(scenario, n_configs=STARTUP_TRIALS, max_ratio=1.0),
            logging_level=40,
            overwrite=True,
        )
        self.asked, self.worst = [], None
        self.ended = False

    def ask(self):
        """SMAC ends once it finds no new configuration, which happens before a small
        space is exhausted. From then on configurations are drawn at random."""
        from smac.main.exceptions import ConfigurationSpaceExhaustedException

        if not self.ended:
            try:
                self.asked.append(self.facade.ask())
                return dict(self.asked[-1].config)
            except (ConfigurationSpaceExhaustedException, StopIteration):
                self.ended = True
        return dict(self.configs.sample_configuration())

    def tell(self, point, value, trial):
        from ConfigSpace import Configuration
        from smac.runhistory.dataclasses import TrialInfo, TrialValue
        from smac.runhistory.enumerations import StatusType

        config = Configuration(self.configs, values=point)
        info = TrialInfo(config=config, seed=0)
        for other in self.asked:
            if other.config == config:
                self.asked.remove(other)
                info = other
                break
        if value is None:  # an infinite cost, SMAC's own for a crash, is one that its model cannot take
            self.facade.tell(info, TrialValue(cost=self.worst or 0.0, status=StatusType.CRASHED))
        else:
            self.worst = value if self.worst is None else max(self.worst, value)
            self.facade.tell(info, TrialValue(cost=value))


if __name__ == "__main__":
    peer.serve(SMAC, {"ConfigSpace": "ConfigSpace", "smac": "smac"})
