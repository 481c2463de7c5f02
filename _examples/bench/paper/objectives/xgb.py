"""Test error of gradient-boosted trees on Fashion-MNIST.

A worker of package bridge. Setup: {"data": directory, "images": how many of the
70,000 to use, "side": of an image in pixels, "rounds", "threads"}. Request: the
values of the problem's parameters. Result: the smallest test error over the
rounds, a share of 1.
"""

import bridge

CLASSES = 10
TRAIN_SHARE = 0.7


def split(labels, count):
    """Rows to train and to test on: of each class the same share of count
    images, its first 70% for training."""
    import numpy as np

    train, test = [], []
    for label in range(CLASSES):
        rows = np.nonzero(labels == label)[0]
        rows = rows[: round(len(rows) * count / len(labels))]
        n_train = int(TRAIN_SHARE * len(rows))
        train.append(rows[:n_train])
        test.append(rows[n_train:])
    return np.sort(np.concatenate(train)), np.sort(np.concatenate(test))


def start(setup):
    import numpy as np
    import xgboost

    import fashion

    parts = [fashion.load(setup["data"], part) for part in ("train", "t10k")]
    labels = np.concatenate([p[1] for p in parts])
    images = np.concatenate([p[0] for p in parts])

    def matrix(rows):
        x = fashion.shrink(images[rows], setup["side"])
        return xgboost.DMatrix(x.reshape(len(rows), -1), label=labels[rows])

    train, test = map(matrix, split(labels, setup["images"]))

    def evaluate(values):
        params = {
            "max_depth": values["max_depth"],
            "booster": values["booster"],
            "grow_policy": values["grow_policy"],
            "objective": values["objective"],
            "eta": 10 ** values["log10_eta"],
            "gamma": 10 ** values["log10_gamma"],
            "subsample": min(10 ** values["log10_subsample"], 1.0),
            "lambda": values["lambda"],
            "num_class": CLASSES,
            "eval_metric": "merror",
            "nthread": setup["threads"],
            "seed": 0,
            "verbosity": 1,
        }
        results = {}
        xgboost.train(
            params, train, setup["rounds"], evals=[(test, "test")], evals_result=results, verbose_eval=False
        )
        return min(results["test"]["merror"])

    info = {"xgboost": xgboost.__version__, "train": train.num_row(), "test": test.num_row()}
    return info, evaluate


if __name__ == "__main__":
    bridge.serve(start, packages={"numpy": "numpy", "xgboost": "xgboost"})
