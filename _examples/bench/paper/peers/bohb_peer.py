"""BOHB of HpBandSter, see peer.py.

Its model alone: every trial has the full budget. Choosing cheaper trials would
need an objective with a budget.
"""

import peer


def make(setup):
    import numpy as np
    from hpbandster.core.dispatcher import Job
    from hpbandster.optimizers.config_generators.bohb import BOHB

    np.random.seed(setup["seed"] % 2**32)
    generator = BOHB(peer.config_space(setup))
    budget = 1.0

    def ask():
        config, _ = generator.get_config(budget)
        return config

    def tell(point, value):
        job = Job("told", config=point, budget=budget)
        job.result = None if value is None else {"loss": value}
        generator.new_result(job)

    return ask, tell


if __name__ == "__main__":
    peer.serve(make, {"ConfigSpace": "ConfigSpace", "hpbandster": "hpbandster"})
