"""Ax, the settings of its Client as they come, see peer.py."""

import peer


class Ax(peer.Peer):
    def __init__(self, setup):
        import logging
        import warnings

        import torch
        from ax.api.client import Client
        from ax.api.configs import ChoiceParameterConfig, RangeParameterConfig

        super().__init__(setup)
        logging.disable(logging.WARNING)
        warnings.simplefilter("ignore")
        torch.set_num_threads(self.threads)

        def config(p):
            if p["kind"] == "nominal":
                return ChoiceParameterConfig(p["name"], p["choices"], "str", is_ordered=False)
            if p["kind"] == "ordinal":
                return RangeParameterConfig(p["name"], (0, p["levels"] - 1), "int")
            scale = "log" if p.get("log", False) else "linear"
            return RangeParameterConfig(p["name"], (float(p["low"]), float(p["high"])), "float", scaling=scale)

        self.client = Client(random_seed=setup["seed"])
        self.client.configure_experiment([config(p) for p in self.space])
        self.client.configure_optimization("-value")
        self.asked = {}

    def ask(self):
        self.asked = self.client.get_next_trials(1)
        (point,) = self.asked.values()
        return point

    def tell(self, point, value, trial):
        """Ax asks again for a trial that is marked as failed. The same point would
        fail again here, so it is marked as abandoned."""
        if point in self.asked.values():
            (index,) = self.asked
        else:
            index = self.client.attach_trial(point)
        self.asked = {}
        if value is None:
            self.client.mark_trial_abandoned(index)
        else:
            self.client.complete_trial(index, {"value": value})


if __name__ == "__main__":
    peer.serve(Ax, {"ax": "ax-platform"})
