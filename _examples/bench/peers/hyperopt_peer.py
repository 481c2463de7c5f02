"""hyperopt's TPE, see peer.py."""

import math

import peer


class Hyperopt(peer.Peer):
    def __init__(self, setup):
        from hyperopt import Trials, hp
        from hyperopt.base import Domain

        super().__init__(setup)

        def expression(p):
            if p["kind"] == "ordinal":
                return hp.uniformint(p["name"], 0, p["levels"] - 1)
            if p["kind"] == "nominal":
                return hp.choice(p["name"], p["choices"])
            if p.get("log", False):
                return hp.loguniform(p["name"], math.log(p["low"]), math.log(p["high"]))
            return hp.uniform(p["name"], p["low"], p["high"])

        self.seed = setup["seed"]
        self.domain = Domain(lambda point: 0.0, {p["name"]: expression(p) for p in self.space})
        self.trials = Trials()

    def ask(self):
        from hyperopt import tpe

        number = len(self.trials.trials)
        (doc,) = tpe.suggest([number], self.domain, self.trials, seed=(self.seed * 10007 + number) % 2**32)
        drawn = {name: values[0] for name, values in doc["misc"]["vals"].items()}
        for p in self.space:
            if p["kind"] == "nominal":
                drawn[p["name"]] = p["choices"][drawn[p["name"]]]
        return drawn

    def tell(self, point, value, trial):
        from hyperopt import JOB_STATE_DONE, STATUS_FAIL, STATUS_OK

        number = len(self.trials.trials)
        vals = {p["name"]: [point[p["name"]]] for p in self.space}
        for p in self.space:
            if p["kind"] == "nominal":
                vals[p["name"]] = [p["choices"].index(point[p["name"]])]
        misc = {
            "tid": number,
            "cmd": ("domain_attachment", "FMinIter_Domain"),
            "workdir": None,
            "idxs": {name: [number] for name in vals},
            "vals": vals,
        }
        result = {"status": STATUS_FAIL} if value is None else {"status": STATUS_OK, "loss": value}
        (doc,) = self.trials.new_trial_docs([number], [None], [result], [misc])
        doc["state"] = JOB_STATE_DONE
        self.trials.insert_trial_doc(doc)
        self.trials.refresh()


if __name__ == "__main__":
    peer.serve(Hyperopt, {"hyperopt": "hyperopt"})
