"""Drives the suggestion service as Katib's controller does, and kills it.

    python3 check.py --service SERVICE [--inprocess INPROCESS] [--seeds 10] [--prefix COMMAND]

SERVICE is the program built from _examples/katib. An experiment with six
parameters runs for each seed: 60 trials, three asked for at a time while two run,
one in five failing. Twice the service is killed by SIGKILL and started again.
Each request is sent twice, and after a kill once more: the answers must be equal,
byte for byte. No configuration may come twice.

INPROCESS is the program built from _examples/katib/client, which runs the same
experiment on a study of Goptuna's. The best values of both are compared, seed by
seed. COMMAND starts the service, e.g. in a directory of its own (inroot.sh).
"""

import argparse
import json
import math
import os
import re
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from kubeflow.katib import katib_api_pb2 as api

from controller import Condition, Controller, assignments

TRIALS, AT_ONCE, RUNNING = 60, 3, 2
KILLED_AFTER = (21, 42)  # trials
FOUND = 0.3  # the median of random search is 0.5


def experiment(seed):
    def parameter(name, kind, low="", high="", step="", values=(), distribution=api.UNIFORM):
        space = api.FeasibleSpace(min=low, max=high, step=step, list=values, distribution=distribution)
        return api.ParameterSpec(name=name, parameter_type=kind, feasible_space=space)

    return api.Experiment(
        name=f"check-{seed}",
        spec=api.ExperimentSpec(
            algorithm=api.AlgorithmSpec(
                algorithm_name="fm",
                algorithm_settings=[api.AlgorithmSetting(name="random_state", value=str(seed))],
            ),
            objective=api.ObjectiveSpec(type=api.MINIMIZE, objective_metric_name="loss"),
            parameter_specs=api.ExperimentSpec.ParameterSpecs(
                parameters=[
                    parameter("lr", api.DOUBLE, "1e-5", "1", distribution=api.LOG_UNIFORM),
                    parameter("momentum", api.DOUBLE, "0", "0.99"),
                    parameter("layers", api.INT, "1", "8"),
                    parameter("dropout", api.DOUBLE, "0", "0.5", "0.05"),
                    parameter("batch", api.DISCRETE, values=["16", "32", "64", "128", "256"]),
                    parameter("optimizer", api.CATEGORICAL, values=["sgd", "adam", "rmsprop", "adagrad"]),
                ]
            ),
            parallel_trial_count=AT_ONCE + RUNNING,
            max_trial_count=TRIALS,
        ),
    )


def objective(values):
    """Has its minimum, 0, at adam with lr 0.003; each optimizer has a best lr.

    main.go has the same.
    """
    best_lr, offset = {
        "sgd": (-1.5, 0.6), "adam": (math.log10(3e-3), 0.0),
        "rmsprop": (-3.0, 0.4), "adagrad": (-2.0, 0.8),
    }[values["optimizer"]]
    return (
        offset
        + 0.5 * (math.log10(float(values["lr"])) - best_lr) ** 2
        + 2 * (float(values["momentum"]) - 0.7) ** 2
        + 0.05 * (int(values["layers"]) - 5) ** 2
        + 3 * (float(values["dropout"]) - 0.2) ** 2
        + 0.1 * (math.log2(float(values["batch"])) - 6) ** 2
    )


class Service:
    """The service as a process, which chooses a port each time it starts."""

    def __init__(self, program, prefix=()):
        self.program, self.prefix = program, list(prefix)
        self.start()

    def start(self):
        command = self.prefix + [self.program, "-addr", "127.0.0.1:0", "-data", "no-such-directory"]
        with tempfile.NamedTemporaryFile("r") as log, open(log.name, "w") as stderr:
            self.process = subprocess.Popen(command, stderr=stderr)
            text = ""
            while not (match := re.search(r"msg=listening address=(\S+)", text)):
                assert self.process.poll() is None, text
                time.sleep(0.01)
                text += log.read()
        self.address = match[1]

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def cpu(self):
        """Returns the seconds of processor time so far."""
        with open(f"/proc/{self.process.pid}/stat") as stat:
            user, system = stat.read().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def megabytes(self):
        """Returns the largest resident set so far."""
        with open(f"/proc/{self.process.pid}/status") as status:
            for line in status:
                if line.startswith("VmHWM"):
                    return int(line.split()[1]) / 1024
        return math.nan


def run(service, seed):
    """Runs the experiment and returns its best value."""
    c = Controller(service.address, experiment(seed))
    c.validate()
    in_flight, best, kills = [], math.inf, list(KILLED_AFTER)
    while len(c.trials) < TRIALS:
        request = c.request(AT_ONCE)
        reply = c.ask(request)
        again = c.ask(request)
        assert reply.SerializeToString(deterministic=True) == again.SerializeToString(deterministic=True)
        if kills and len(c.trials) >= kills[0]:
            kills.pop(0)
            service.kill()
            service.start()
            c.connect(service.address)
            again = c.ask(request)
            assert reply.SerializeToString(deterministic=True) == again.SerializeToString(deterministic=True)
        in_flight += [(len(c.trials) - AT_ONCE + i, t) for i, t in enumerate(c.accept(request, reply))]
        while len(in_flight) > (RUNNING if len(c.trials) < TRIALS else 0):
            number, trial = in_flight.pop(0)
            if number % 5 == 3:
                c.finish(trial, Condition.FAILED)
                continue
            value = objective(assignments(trial))
            c.finish(trial, Condition.SUCCEEDED, value)
            best = min(best, value)
    assert len(c.trials) == c.received == TRIALS
    configurations = {tuple(sorted(assignments(t).items())) for t in c.trials.values()}
    assert len(configurations) == TRIALS, f"{TRIALS - len(configurations)} duplicates"
    assert not kills
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--service", required=True)
    parser.add_argument("--inprocess")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--prefix", default="")
    args = parser.parse_args()
    inprocess = {}
    if args.inprocess:
        output = subprocess.check_output([args.inprocess, "-seeds", str(args.seeds)], text=True)
        inprocess = {r["seed"]: r["best"] for r in map(json.loads, output.splitlines())}
    service = Service(os.path.abspath(args.service), shlex.split(args.prefix))
    bests, differences = [], []
    try:
        for seed in range(args.seeds):
            start = time.monotonic()
            best = run(service, seed)
            line = f"seed {seed}: best {best:.6f} in {time.monotonic() - start:.1f} s, {service.megabytes():.0f} MB"
            if seed in inprocess:
                differences.append(best - inprocess[seed])
                line += f"; in process {inprocess[seed]:.6f}"
            print(line, flush=True)
            bests.append(best)
    finally:
        service.kill()
    assert statistics.median(bests) < FOUND, "the optimum, 0, was not found"
    if differences:
        mean = statistics.fmean(differences)
        error = statistics.stdev(differences) / math.sqrt(len(differences)) if len(differences) > 1 else math.nan
        print(f"service - in process: {mean:.6f} ± {error:.6f}")
        assert mean <= 0.02, "the service does worse than a study in process"
    print("no duplicates, the same answer to the same request")


if __name__ == "__main__":
    sys.exit(main())
