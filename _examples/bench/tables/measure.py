"""Measures tables for the program beside it, on the machine that it runs on.

    python3 measure.py DIR [NAME...]

writes DIR/NAME.csv and DIR/NAME.space.json for each of the thirteen tables, or for those
named. A cell whose measurement fails has no row. What takes time is measured as it
comes; all else is the same again with the same scikit-learn. A table takes up to ten
minutes; several names can be measured at once by several calls.

Needs Python 3.8 or later and scikit-learn; gcc for the table of that name.
"""

import argparse
import csv
import functools
import itertools
import json
import lzma
import os
import random
import sqlite3
import subprocess
import tempfile
import time
import warnings

for threads in "OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS":
    os.environ[threads] = "1"

import numpy
from sklearn import cluster, datasets, decomposition, ensemble, kernel_ridge, linear_model, metrics, model_selection
from sklearn import naive_bayes, neighbors, neural_network, preprocessing, svm, tree
from sklearn.feature_extraction.text import TfidfVectorizer

TABLES = {}


def table(make):
    """Registers make, which returns the parameters, lists of their values by name, and
    measure(seed, **cell). Values that are text make a choice, numbers an order."""
    TABLES[make.__name__] = make
    return make


def split(data, train, test):
    """Returns x, y to learn from and x, y to test on."""
    x, x_test, y, y_test = model_selection.train_test_split(data.data, data.target, train_size=train, random_state=0)
    return x, y, x_test[:test], y_test[:test]


@table
def support_vectors():
    """Error of a support vector machine on digits: a kernel ignores what is another's."""
    x, y, x_test, y_test = split(datasets.load_digits(), 300, 700)
    scales = {
        "none": lambda a: a,
        "standard": preprocessing.StandardScaler().fit(x).transform,
        "minmax": preprocessing.MinMaxScaler().fit(x).transform,
    }

    def measure(seed, kernel, log_c, log_gamma, degree, coef0, scale):
        f = scales[scale]
        m = svm.SVC(kernel=kernel, C=10.0**log_c, gamma=10.0**log_gamma, degree=degree, coef0=float(coef0), max_iter=3000)
        return 1 - m.fit(f(x), y).score(f(x_test), y_test)

    return dict(
        kernel=["linear", "poly", "rbf", "sigmoid"],
        log_c=[-4, -3, -2, -1, 0, 1, 2, 3],
        log_gamma=[-5, -4, -3, -2, -1, 0, 1],
        degree=[2, 3, 4],
        coef0=["0", "1"],
        scale=list(scales),
    ), measure


@table
def neighbours():
    """Error of nearest neighbours on digits, after scaling and projection."""
    x, y, x_test, y_test = split(datasets.load_digits(), 250, 600)
    scalers = {
        "none": preprocessing.FunctionTransformer(),
        "standard": preprocessing.StandardScaler(),
        "minmax": preprocessing.MinMaxScaler(),
        "robust": preprocessing.RobustScaler(),
        "quantile": preprocessing.QuantileTransformer(n_quantiles=50),
    }

    def measure(seed, scaler, components, k, weights, metric, leaf):
        s = scalers[scaler].fit(x)
        p = decomposition.PCA(components, random_state=0).fit(s.transform(x))
        m = neighbors.KNeighborsClassifier(k, weights=weights, metric=metric, leaf_size=leaf)
        return 1 - m.fit(p.transform(s.transform(x)), y).score(p.transform(s.transform(x_test)), y_test)

    return dict(
        scaler=list(scalers),
        components=[2, 5, 10, 20, 40],
        k=[1, 2, 3, 5, 8, 12, 20, 40],
        weights=["uniform", "distance"],
        metric=["euclidean", "manhattan", "chebyshev", "cosine"],
        leaf=[10, 30, 90],
    ), measure


@table
def forest():
    """Error of a forest on digits. Each cell has a seed of its own."""
    x, y, x_test, y_test = split(datasets.load_digits(), 300, 600)
    features = {"sqrt": "sqrt", "log2": "log2", "0.3": 0.3, "0.7": 0.7, "all": None}
    kinds = {"random": ensemble.RandomForestClassifier, "extra": ensemble.ExtraTreesClassifier}

    def measure(seed, kind, criterion, max_features, depth, leaf, trees, bootstrap, weight):
        m = kinds[kind](
            trees, criterion=criterion, max_features=features[max_features], max_depth=depth, min_samples_leaf=leaf,
            bootstrap=bootstrap == "yes", class_weight=None if weight == "none" else weight, random_state=seed,
        )
        return 1 - m.fit(x, y).score(x_test, y_test)

    return dict(
        kind=list(kinds),
        criterion=["gini", "entropy"],
        max_features=list(features),
        depth=[2, 4, 8, 16, 32],
        leaf=[1, 3, 10],
        trees=[5, 15, 40],
        bootstrap=["no", "yes"],
        weight=["none", "balanced"],
    ), measure


@table
def boosting():
    """Squared error of boosted trees on diabetes; one loss makes some diverge."""
    x, y, x_test, y_test = split(datasets.load_diabetes(), 250, 192)

    def measure(seed, log_rate, trees, depth, leaf, sample, features, loss):
        m = ensemble.GradientBoostingRegressor(
            loss=loss, learning_rate=10.0**log_rate, n_estimators=trees, max_depth=depth, min_samples_leaf=leaf,
            subsample=sample, max_features=features, random_state=seed,
        )
        return metrics.mean_squared_error(y_test, m.fit(x, y).predict(x_test))

    return dict(
        log_rate=[-3, -2.5, -2, -1.5, -1, -0.5, 0],
        trees=[10, 30, 80],
        depth=[1, 2, 4, 8],
        leaf=[1, 5, 20],
        sample=[0.3, 0.6, 1.0],
        features=[0.1, 0.3, 1.0],
        loss=["squared_error", "absolute_error", "huber", "quantile"],
    ), measure


@table
def network():
    """Logarithmic loss of a neural network on breast cancer; some diverge."""
    x, y, x_test, y_test = split(datasets.load_breast_cancer(), 300, 269)
    scaler = preprocessing.StandardScaler().fit(x)

    def measure(seed, solver, activation, hidden, layers, log_alpha, log_rate, batch, scale):
        f = scaler.transform if scale == "yes" else lambda a: a
        m = neural_network.MLPClassifier(
            (hidden,) * layers, activation=activation, solver=solver, alpha=10.0**log_alpha,
            learning_rate_init=10.0**log_rate, batch_size=batch, max_iter=50 if solver == "lbfgs" else 15, random_state=seed,
        )
        return metrics.log_loss(y_test, m.fit(f(x), y).predict_proba(f(x_test)))

    return dict(
        solver=["lbfgs", "sgd", "adam"],
        activation=["relu", "tanh", "logistic", "identity"],
        hidden=[4, 16, 64],
        layers=[1, 2],
        log_alpha=[-5, -3, -1, 1],
        log_rate=[-4, -3, -2, -1, 0],
        batch=[16, 100],
        scale=["no", "yes"],
    ), measure


@table
def xz():
    """Size in percent and time in units of 1/30 s of source code that is compressed: more
    than four literal bits together are refused."""
    library = os.path.dirname(os.__file__)
    names = sorted(name for name in os.listdir(library) if name.endswith(".py"))
    data = b"".join(open(os.path.join(library, name), "rb").read() for name in names)[:250000]
    finders = {"hc3": lzma.MF_HC3, "hc4": lzma.MF_HC4, "bt2": lzma.MF_BT2, "bt4": lzma.MF_BT4}
    modes = {"fast": lzma.MODE_FAST, "normal": lzma.MODE_NORMAL}

    def measure(seed, log_dict, lc, lp, pb, mode, nice, finder, depth):
        coder = dict(
            id=lzma.FILTER_LZMA2, dict_size=2**log_dict, lc=lc, lp=lp, pb=pb, mode=modes[mode], nice_len=nice,
            mf=finders[finder], depth=depth,
        )
        start = time.process_time()
        size = len(lzma.compress(data, lzma.FORMAT_RAW, filters=[coder]))
        return 100 * size / len(data) + 30 * (time.process_time() - start)

    return dict(
        log_dict=[14, 17, 20, 22],
        lc=[0, 2, 3, 4],
        lp=[0, 1, 2, 4],
        pb=[0, 2, 4],
        mode=list(modes),
        nice=[16, 64, 273],
        finder=list(finders),
        depth=[0, 8],
    ), measure


@table
def sqlite():
    """Milliseconds that SQLite takes for writes, queries and deletions: options that do
    much, and options that do nothing."""
    rng = random.Random(0)
    rows = [(key, rng.randrange(10**6), "x" * rng.randrange(200)) for key in rng.sample(range(10**6), 600)]

    def measure(seed, journal, sync, page, cache, temp, lock, mmap, vacuum):
        with tempfile.TemporaryDirectory() as directory:
            start = time.perf_counter()
            db = sqlite3.connect(os.path.join(directory, "db"), isolation_level=None)
            for pragma, value in [
                ("page_size", page), ("auto_vacuum", vacuum), ("journal_mode", journal), ("synchronous", sync),
                ("cache_size", cache), ("temp_store", temp), ("locking_mode", lock), ("mmap_size", 2**28 if mmap == "on" else 0),
            ]:
                db.execute(f"PRAGMA {pragma} = {value}")
            db.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, v INT, s TEXT)")
            db.execute("CREATE INDEX i ON t(v)")
            for first in range(0, len(rows), 100):
                db.execute("BEGIN")
                db.executemany("INSERT INTO t VALUES(?, ?, ?)", rows[first : first + 100])
                db.execute("COMMIT")
            for _, v, _ in rows[:100]:
                db.execute("SELECT s FROM t WHERE v BETWEEN ? AND ? ORDER BY s", (v, v + 20000)).fetchall()
            for key, _, _ in rows[:30]:
                db.execute("DELETE FROM t WHERE id = ?", (key,))
            db.close()
            return 1000 * (time.perf_counter() - start)

    return dict(
        journal=["delete", "truncate", "persist", "memory", "wal", "off"],
        sync=["off", "normal", "full"],
        page=[512, 4096, 16384, 65536],
        cache=[10, 1000, 10000],
        temp=["file", "memory"],
        lock=["normal", "exclusive"],
        mmap=["off", "on"],
        vacuum=["none", "full", "incremental"],
    ), measure


PROGRAM = r"""
#include <stdint.h>
#include <stdio.h>
enum { N = 160 };
static float a[N][N], b[N][N], c[N][N];
static uint32_t h[1 << 14];
static int collatz(uint64_t n) { int c = 0; for (; n > 1; c++) n = n & 1 ? 3 * n + 1 : n / 2; return c; }
static double poly(double x) { double s = 0; for (int i = 0; i < 16; i++) s = s * x + 1.0 / (i + 1); return s; }
int main(void) {
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) a[i][j] = i * j % 7, b[i][j] = (i + j) % 5;
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < N; k++) c[i][j] += a[i][k] * b[k][j];
  double t = 0; long q = 0; uint32_t x = 1;
  for (int i = 0; i < 200000; i++) t += poly(i * 1e-5);
  for (int i = 1; i < 20000; i++) q += collatz(i);
  for (int i = 0; i < 1000000; i++) x = x * 1664525u + 1013904223u, h[x >> 18] ^= x;
  for (int i = 0; i < 1 << 14; i++) q += h[i] & 3;
  return printf("%f %f %ld\n", c[3][5], t, q) < 0;
}
"""


@table
def gcc():
    """Milliseconds that a small program runs, the best of three, by the flags of its
    compiler: some undo others, and most do nothing."""

    def measure(seed, level, march, unroll, vectorize, inline, math, frame, schedule):
        flags = ["-" + level]
        flags += ["-march=native"] * (march == "native") + ["-funroll-loops"] * (unroll == "on")
        flags += ["-ffast-math"] * (math == "fast") + ["-fschedule-insns"] * (schedule == "on")
        flags += ["-ftree-vectorize" if vectorize == "yes" else "-fno-tree-vectorize"]
        flags += ["-finline-functions" if inline == "yes" else "-fno-inline"]
        flags += ["-fomit-frame-pointer" if frame == "omit" else "-fno-omit-frame-pointer"]
        with tempfile.TemporaryDirectory() as directory:
            program = os.path.join(directory, "program")
            subprocess.run(["gcc", *flags, "-x", "c", "-", "-o", program], input=PROGRAM.encode(), check=True)
            times = []
            for _ in range(3):
                start = time.perf_counter()
                subprocess.run([program], check=True, stdout=subprocess.DEVNULL)
                times.append(time.perf_counter() - start)
        return 1000 * min(times)

    return dict(
        level=["O0", "O1", "O2", "O3", "Os", "Ofast"],
        march=["none", "native"],
        unroll=["off", "on"],
        vectorize=["no", "yes"],
        inline=["no", "yes"],
        math=["default", "fast"],
        frame=["keep", "omit"],
        schedule=["off", "on"],
    ), measure


@table
def descent():
    """Error of linear classifiers on digits, by stochastic gradient descent: a rate is
    ignored by one of its schedules, and each cell has a seed of its own."""
    x, y, x_test, y_test = split(datasets.load_digits(), 200, 500)

    def measure(seed, loss, penalty, log_alpha, schedule, log_rate, average, epochs):
        m = linear_model.SGDClassifier(
            loss=loss, penalty=penalty, alpha=10.0**log_alpha, learning_rate=schedule, eta0=10.0**log_rate,
            average=average == "yes", max_iter=epochs, tol=None, random_state=seed,
        )
        return 1 - m.fit(x / 16, y).score(x_test / 16, y_test)

    return dict(
        loss=["hinge", "log_loss", "squared_hinge", "perceptron"],
        penalty=["l1", "l2", "elasticnet"],
        log_alpha=[-6, -5, -4, -3, -2, -1],
        schedule=["constant", "optimal", "invscaling", "adaptive"],
        log_rate=[-4, -3, -2, -1, 0, 1],
        average=["no", "yes"],
        epochs=[1, 3, 10],
    ), measure


@table
def ridge():
    """Root mean squared error of kernel ridge regression on diabetes: a kernel ignores what
    is another's, and some errors are huge."""
    x, y, x_test, y_test = split(datasets.load_diabetes(), 250, 190)
    scales = {
        "none": lambda a: a,
        "standard": preprocessing.StandardScaler().fit(x).transform,
        "quantile": preprocessing.QuantileTransformer(n_quantiles=50).fit(x).transform,
    }

    def measure(seed, kernel, log_alpha, log_gamma, degree, coef0, scale):
        f, mean = scales[scale], y.mean()
        m = kernel_ridge.KernelRidge(kernel=kernel, alpha=10.0**log_alpha, gamma=10.0**log_gamma, degree=degree, coef0=coef0)
        error = metrics.mean_squared_error(y_test - mean, m.fit(f(x), y - mean).predict(f(x_test))) ** 0.5
        if error > 1e6:
            raise ValueError("it has diverged")
        return error

    return dict(
        kernel=["linear", "polynomial", "rbf", "laplacian", "sigmoid"],
        log_alpha=[-6, -5, -4, -3, -2, -1, 0, 1],
        log_gamma=[-5, -4, -3, -2, -1, 0, 1],
        degree=[2, 3, 4],
        coef0=[0, 1, 10],
        scale=list(scales),
    ), measure


@table
def density():
    """1 less the adjusted Rand index of DBSCAN on blobs and moons: where all is noise, or
    one cluster, nothing else matters."""
    blobs, blob = datasets.make_blobs(250, centers=5, cluster_std=0.6, random_state=3)
    moons, moon = datasets.make_moons(150, noise=0.06, random_state=1)
    points, labels = numpy.vstack([blobs, 2 * moons + 8]), numpy.concatenate([blob, moon + 5])
    points = numpy.column_stack([points, 0.5 * numpy.random.RandomState(0).randn(len(points))])
    scaled = {
        "none": points,
        "standard": preprocessing.StandardScaler().fit_transform(points),
        "pca": decomposition.PCA(2).fit_transform(points),
        "white": decomposition.PCA(3, whiten=True).fit_transform(points),
    }

    def measure(seed, log_eps, samples, metric, scale, algorithm, noise):
        m = cluster.DBSCAN(eps=numpy.exp(log_eps), min_samples=samples, metric=metric, algorithm=algorithm)
        found = m.fit_predict(scaled[scale])
        if noise == "own":
            found = numpy.where(found < 0, len(found) + numpy.arange(len(found)), found)
        return 1 - metrics.adjusted_rand_score(labels, found)

    return dict(
        log_eps=[-4, -3.5, -3, -2.5, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5],
        samples=[1, 2, 3, 5, 8, 12, 20, 40],
        metric=["euclidean", "manhattan", "chebyshev", "cosine"],
        scale=list(scaled),
        algorithm=["brute", "auto"],
        noise=["one", "own"],
    ), measure


@table
def text():
    """Error of naive Bayes that tells which package of Python's library a passage is from."""
    library = os.path.dirname(os.__file__)
    passages = []
    for package in ["asyncio", "email", "http", "importlib", "json", "logging", "multiprocessing", "unittest", "xml"]:
        for name in sorted(name for name in os.listdir(os.path.join(library, package)) if name.endswith(".py")):
            with open(os.path.join(library, package, name), encoding="utf-8") as f:
                source = f.read(12000).replace(package, "")
            passages += [(source[at : at + 600], package) for at in range(0, len(source) - 600, 1500)]
    random.Random(0).shuffle(passages)
    texts, packages = zip(*passages[:500])
    models = {
        "multinomial": naive_bayes.MultinomialNB,
        "complement": naive_bayes.ComplementNB,
        "bernoulli": naive_bayes.BernoulliNB,
    }

    @functools.lru_cache(maxsize=1)  # parameters of the model change fastest
    def vectors(grams, analyzer, min_df, max_df, weights, norm):
        v = TfidfVectorizer(
            ngram_range=(1, grams), analyzer=analyzer, min_df=min_df, max_df=max_df, sublinear_tf=weights == "sublinear",
            use_idf=weights != "counts", norm=None if norm == "none" else norm,
        )
        return v.fit_transform(texts[:250]), v.transform(texts[250:])

    def measure(seed, model, log_alpha, **vectorizer):
        x, x_test = vectors(**vectorizer)
        return 1 - models[model](alpha=10.0**log_alpha).fit(x, packages[:250]).score(x_test, packages[250:])

    return dict(
        grams=[1, 2, 3],
        analyzer=["word", "char_wb"],
        min_df=[1, 2, 5],
        max_df=[0.1, 0.5, 1.0],
        weights=["plain", "sublinear", "counts"],
        norm=["none", "l1", "l2"],
        model=list(models),
        log_alpha=[-4, -2, -1, 0, 1],
    ), measure


@table
def decision_tree():
    """Error of decision trees on wine, the mean of three, with seeds of their own."""
    x, y, x_test, y_test = split(datasets.load_wine(), 60, 110)

    def measure(seed, criterion, splitter, depth, leaf, node, features, weight, prune):
        errors = []
        for i in range(3):
            m = tree.DecisionTreeClassifier(
                criterion=criterion, splitter=splitter, max_depth=depth, min_samples_leaf=leaf, min_samples_split=node,
                max_features=None if features == "all" else features, class_weight=None if weight == "none" else weight,
                ccp_alpha=prune, random_state=3 * seed + i,
            )
            errors.append(1 - m.fit(x, y).score(x_test, y_test))
        return sum(errors) / 3

    return dict(
        criterion=["gini", "entropy"],
        splitter=["best", "random"],
        depth=[1, 2, 3, 5, 9],
        leaf=[1, 2, 5, 12],
        node=[2, 5, 12, 30],
        features=["sqrt", "log2", "all"],
        weight=["none", "balanced"],
        prune=[0, 0.01, 0.03, 0.1],
    ), measure


def main():
    parser = argparse.ArgumentParser(description="Measures tables for the program beside it.")
    parser.add_argument("directory", help="where to write them")
    parser.add_argument("names", nargs="*", metavar="name", help="of " + ", ".join(TABLES) + "; all by default")
    args = parser.parse_args()
    unknown = set(args.names) - set(TABLES)
    if unknown:
        parser.error("no table is named " + " or ".join(sorted(unknown)))
    os.makedirs(args.directory, exist_ok=True)
    warnings.filterwarnings("ignore")  # networks that have not converged, which is what is measured
    for name in args.names or TABLES:
        measure_table(args.directory, name)


def measure_table(directory, name):
    """Writes the table and its space."""
    params, measure = TABLES[name]()
    space = {
        "lookup": "exact",
        "params": [
            {"name": param, "type": "categorical", "choices": values} if isinstance(values[0], str)
            else {"name": param, "type": "ordinal", "values": values}
            for param, values in params.items()
        ],
        "objective": {"column": "value", "direction": "minimize"},
    }
    with open(os.path.join(directory, name + ".space.json"), "w") as f:
        json.dump(space, f, indent=1)
    with open(os.path.join(directory, name + ".csv"), "w", newline="") as f:
        rows = csv.writer(f)
        rows.writerow([*params, "value"])
        failed = 0
        for seed, cell in enumerate(itertools.product(*params.values())):
            try:
                rows.writerow([*cell, measure(seed, **dict(zip(params, cell)))])
            except (ValueError, lzma.LZMAError):
                failed += 1
    print(f"{name}: {seed + 1} cells, {failed} of them failed", flush=True)


if __name__ == "__main__":
    main()
