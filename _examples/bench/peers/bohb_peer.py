"""BOHB of HpBandSter, see peer.py.

Its model alone: every trial has the full budget. Choosing cheaper trials would
need an objective with a budget.
"""

import peer

BUDGET = 1.0


class BOHB(peer.Peer):
    def __init__(self, setup):
        import numpy as np
        from hpbandster.optimizers.config_generators.bohb import BOHB as Generator

        super().__init__(setup)
        np.random.seed(setup["seed"] % 2**32)
        self.generator = Generator(peer.config_space(setup))

    def ask(self):
        config, _ = self.generator.get_config(BUDGET)
        return config

    def tell(self, point, value, trial):
        from hpbandster.core.dispatcher import Job

        job = Job("told", config=point, budget=BUDGET)
        job.result = None if value is None else {"loss": value}
        self.generator.new_result(job)


if __name__ == "__main__":
    peer.serve(BOHB, {"ConfigSpace": "ConfigSpace", "hpbandster": "hpbandster"})
