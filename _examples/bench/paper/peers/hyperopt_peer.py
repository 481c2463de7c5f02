"""hyperopt's TPE, see peer.py."""

import peer


def make(setup):
    from hyperopt import JOB_STATE_DONE, STATUS_FAIL, STATUS_OK, Trials, hp, tpe
    from hyperopt.base import Domain

    params = setup["space"]

    def expression(p):
        if p["kind"] == "continuous":
            return hp.uniform(p["name"], p["low"], p["high"])
        if p["kind"] == "ordinal":
            return hp.uniformint(p["name"], 0, p["levels"] - 1)
        return hp.choice(p["name"], p["choices"])

    domain = Domain(lambda point: 0.0, {p["name"]: expression(p) for p in params})
    trials = Trials()

    def ask():
        number = len(trials.trials)
        (doc,) = tpe.suggest([number], domain, trials, seed=(setup["seed"] * 10007 + number) % 2**32)
        drawn = {name: values[0] for name, values in doc["misc"]["vals"].items()}
        return {p["name"]: p["choices"][drawn[p["name"]]] if p["kind"] == "nominal" else drawn[p["name"]] for p in params}

    def tell(point, value):
        number = len(trials.trials)
        vals = {p["name"]: [point[p["name"]]] for p in params}
        for p in params:
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
        (doc,) = trials.new_trial_docs([number], [None], [result], [misc])
        doc["state"] = JOB_STATE_DONE
        trials.insert_trial_doc(doc)
        trials.refresh()

    return ask, tell


if __name__ == "__main__":
    peer.serve(make, {"hyperopt": "hyperopt"})
