"""HEBO with its own settings, see peer.py."""

import peer


class HEBO(peer.Peer):
    def __init__(self, setup):
        import warnings

        import numpy as np
        import torch
        from hebo.design_space.design_space import DesignSpace
        from hebo.optimizers.hebo import HEBO as Optimiser

        super().__init__(setup)
        warnings.simplefilter("ignore")
        torch.set_num_threads(self.threads)
        torch.manual_seed(setup["seed"])
        np.random.seed(setup["seed"] % 2**32)

        def config(p):
            if p["kind"] == "nominal":
                return {"name": p["name"], "type": "cat", "categories": p["choices"]}
            if p["kind"] == "ordinal":
                return {"name": p["name"], "type": "int", "lb": 0, "ub": p["levels"] - 1}
            scale = "pow" if p.get("log", False) else "num"
            return {"name": p["name"], "type": scale, "lb": p["low"], "ub": p["high"]}

        self.optimiser = Optimiser(DesignSpace().parse([config(p) for p in self.space]), scramble_seed=setup["seed"])
        self.worst = None
        self.unseen = []  # trials that HEBO has not observed yet

    def ask(self):
        self.observe()
        return self.optimiser.suggest().iloc[0].to_dict()

    def observe(self):
        """A failed trial counts as the worst value so far, as soon as there is one:
        HEBO drops points without a value."""
        import numpy as np
        import pandas as pd

        if self.worst is None or not self.unseen:
            return
        values = [self.worst if value is None else value for _, value in self.unseen]
        self.optimiser.observe(pd.DataFrame([point for point, _ in self.unseen]), np.array(values).reshape(-1, 1))
        self.unseen = []

    def tell(self, point, value, trial):
        self.unseen.append((point, value))
        if value is not None:
            self.worst = value if self.worst is None else max(self.worst, value)


if __name__ == "__main__":
    peer.serve(HEBO, {"hebo": "HEBO"})
