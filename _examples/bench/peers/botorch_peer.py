"""BoTorch's Gaussian process for mixed spaces with the logarithm of the expected
improvement, see peer.py.

A failed trial counts as the worst value so far: the model needs one. Discrete
spaces are enumerated as far as that goes, without the points that were
evaluated. All else is as it comes, but for the length of the fits.
"""

import math

import peer

STARTUP_TRIALS = 10  # as for the other methods
MAX_CELLS = 50_000  # of a discrete space that is enumerated
FIT_ITERATIONS = 200  # without a limit they are 1,600 at 80 trials, for one unit of the log likelihood


class BoTorch(peer.Peer):
    def __init__(self, setup):
        import warnings

        import torch

        super().__init__(setup)
        warnings.simplefilter("ignore")
        torch.set_default_dtype(torch.double)
        torch.set_num_threads(self.threads)
        torch.manual_seed(setup["seed"])
        self.sobol = torch.quasirandom.SobolEngine(len(self.space), scramble=True, seed=setup["seed"])
        self.xs, self.values = [], []
        columns = {i: column(p) for i, p in enumerate(self.space)}
        self.nominal = {i: columns[i] for i, p in enumerate(self.space) if p["kind"] == "nominal"}
        self.ordinal = {i: columns[i] for i, p in enumerate(self.space) if p["kind"] == "ordinal"}
        self.bounds = torch.tensor([[0.0, columns[i][-1]] for i in columns]).T
        self.cells = None
        if len(self.nominal) + len(self.ordinal) == len(self.space) and math.prod(map(len, columns.values())) <= MAX_CELLS:
            self.cells = torch.cartesian_prod(*map(torch.tensor, columns.values())).reshape(-1, len(self.space))

    def ask(self):
        found = [y for y in self.values if y is not None]
        exhausted = self.cells is not None and len(set(map(tuple, self.xs))) == len(self.cells)
        if len(self.xs) < STARTUP_TRIALS or not found or exhausted:
            x = [quantile(p, u) for p, u in zip(self.space, self.sobol.draw(1)[0].tolist())]
        else:
            x = self.search([max(found) if y is None else y for y in self.values])
        return {p["name"]: decode(p, u) for p, u in zip(self.space, x)}

    def search(self, values):
        """Returns the point with the largest acquisition value."""
        import torch
        from botorch.acquisition import LogExpectedImprovement
        from botorch.fit import fit_gpytorch_mll
        from botorch.models import MixedSingleTaskGP, SingleTaskGP
        from botorch.optim import optimize_acqf_discrete, optimize_acqf_mixed_alternating
        from gpytorch.mlls import ExactMarginalLogLikelihood

        xs, ys = torch.tensor(self.xs), torch.tensor(values).unsqueeze(-1)
        model = MixedSingleTaskGP(xs, ys, cat_dims=list(self.nominal)) if self.nominal else SingleTaskGP(xs, ys)
        fit = {"options": {"maxiter": FIT_ITERATIONS}}
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model), optimizer_kwargs=fit)
        acquisition = LogExpectedImprovement(model, best_f=ys.min(), maximize=False)
        if self.cells is not None:
            found, _ = optimize_acqf_discrete(acquisition, q=1, choices=self.cells, X_avoid=xs)
        else:
            found, _ = optimize_acqf_mixed_alternating(
                acquisition, self.bounds, discrete_dims=self.ordinal, cat_dims=self.nominal
            )
        return found[0].tolist()

    def tell(self, point, value, trial):
        self.xs.append([encode(p, point[p["name"]]) for p in self.space])
        self.values.append(value)


def column(p):
    """The values of a discrete parameter in the model, or the ends of its range:
    numbers between 0 and 1, and of a choice its number."""
    if p["kind"] == "nominal":
        return [float(i) for i in range(len(p["choices"]))]
    if p["kind"] == "ordinal":
        return [encode(p, i) for i in range(p["levels"])]
    return [0.0, 1.0]


def quantile(p, u):
    if p["kind"] == "continuous":
        return u
    return column(p)[int(u * len(column(p)))]


def encode(p, value):
    if p["kind"] == "nominal":
        return float(p["choices"].index(value))
    if p["kind"] == "ordinal":
        return value / max(p["levels"] - 1, 1)
    low, high, value = map(math.log if p.get("log", False) else float, (p["low"], p["high"], value))
    return (value - low) / (high - low)


def decode(p, x):
    """The inverse of encode."""
    if p["kind"] == "nominal":
        return p["choices"][round(x)]
    if p["kind"] == "ordinal":
        return round(x * (p["levels"] - 1))
    if p.get("log", False):
        return p["low"] * (p["high"] / p["low"]) ** x
    return p["low"] + x * (p["high"] - p["low"])


if __name__ == "__main__":
    peer.serve(BoTorch, {"botorch": "botorch", "torch": "torch"})
