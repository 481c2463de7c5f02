"""Mean test error of a support vector regression on five splits of Boston housing.

A worker of package bridge. Setup: {"data": directory}. Request: the values of
the problem's parameters. Result: the mean over the splits of the test RMSE, in
1,000 USD.
"""

import csv
import os

import bridge

SPLITS = 5
TRAIN_SHARE = 0.7


def load(path):
    """Inputs (n, 13) and targets (n,), the last column."""
    import numpy as np

    with open(path, newline="") as f:
        rows = list(csv.reader(f))
    table = np.array(rows[1:], dtype=float)
    return table[:, :-1], table[:, -1]


def split(n, k):
    """Rows to train and to test on in split k: a shuffle with seed k²."""
    import numpy as np

    rows = np.arange(n)
    np.random.RandomState(k**2).shuffle(rows)
    n_train = int(n * TRAIN_SHARE)
    return rows[:n_train], rows[n_train:]


def start(setup):
    import numpy as np
    import sklearn
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import NuSVR

    x, y = load(os.path.join(setup["data"], "boston", "boston.csv"))

    def evaluate(values):
        errors = []
        for k in range(SPLITS):
            train, test = split(len(y), k)
            model = make_pipeline(
                StandardScaler(),
                NuSVR(
                    kernel=values["kernel"],
                    gamma=values["gamma"],
                    shrinking=values["shrinking"] == "on",
                    C=10 ** values["log10_C"],
                    tol=10 ** values["log10_tol"],
                    nu=min(10 ** values["log10_nu"], 1.0),
                ),
            )
            model.fit(x[train], y[train])
            errors.append(np.sqrt(np.mean((model.predict(x[test]) - y[test]) ** 2)))
        return float(np.mean(errors))

    return {"scikit-learn": sklearn.__version__, "rows": len(y)}, evaluate


if __name__ == "__main__":
    bridge.serve(start, packages={"numpy": "numpy", "sklearn": "scikit-learn"})
