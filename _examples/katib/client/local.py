"""Runs an Experiment without a cluster: asks the service, and runs each trial here.

    go run ./_examples/katib -addr 127.0.0.1:6789 &
    python3 local.py ../deploy/experiment.yaml

The file holds an Experiment whose trials are Jobs, and the ConfigMaps that they
mount. Of each Job the command of its container runs as a process, with the files
of the ConfigMaps in a temporary directory. The objective is read from its output
as Katib's StdOut collector reads it, the last value.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor, FIRST_COMPLETED, wait

import yaml
from kubeflow.katib import katib_api_pb2 as api

from controller import Condition, Controller, assignments

TYPES = {"double": api.DOUBLE, "int": api.INT, "discrete": api.DISCRETE, "categorical": api.CATEGORICAL}
DISTRIBUTIONS = {
    "uniform": api.UNIFORM, "logUniform": api.LOG_UNIFORM, "normal": api.NORMAL, "logNormal": api.LOG_NORMAL,
}


def convert(manifest):
    """Returns an Experiment as the controller sends it."""
    spec = manifest["spec"]
    algorithm, objective = spec["algorithm"], spec["objective"]
    parameters = []
    for p in spec["parameters"]:
        space = dict(p["feasibleSpace"])
        distribution = DISTRIBUTIONS.get(space.pop("distribution", None), api.DISTRIBUTION_UNSPECIFIED)
        space = api.FeasibleSpace(distribution=distribution, **space)
        parameters.append(api.ParameterSpec(name=p["name"], parameter_type=TYPES[p["parameterType"]], feasible_space=space))
    return api.Experiment(
        name=manifest["metadata"]["name"],
        spec=api.ExperimentSpec(
            algorithm=api.AlgorithmSpec(
                algorithm_name=algorithm["algorithmName"],
                algorithm_settings=[api.AlgorithmSetting(**s) for s in algorithm.get("algorithmSettings", [])],
            ),
            objective=api.ObjectiveSpec(
                type=api.MAXIMIZE if objective["type"] == "maximize" else api.MINIMIZE,
                objective_metric_name=objective["objectiveMetricName"],
            ),
            parameter_specs=api.ExperimentSpec.ParameterSpecs(parameters=parameters),
            parallel_trial_count=spec["parallelTrialCount"],
            max_trial_count=spec["maxTrialCount"],
        ),
    )


class Jobs:
    """Runs the Job of a trial as a process."""

    def __init__(self, manifest, config_maps, directory):
        template = manifest["spec"]["trialTemplate"]
        self.references = {p["name"]: p["reference"] for p in template["trialParameters"]}
        self.metric = manifest["spec"]["objective"]["objectiveMetricName"]
        pod = template["trialSpec"]["spec"]["template"]["spec"]
        container = next(c for c in pod["containers"] if c["name"] == template["primaryContainerName"])
        self.command = container.get("command", []) + container.get("args", [])
        sources = {v["name"]: v["configMap"]["name"] for v in pod.get("volumes", [])}
        for mount in container.get("volumeMounts", []):
            place = os.path.join(directory, mount["name"])
            os.mkdir(place)
            for name, text in config_maps[sources[mount["name"]]].items():
                with open(os.path.join(place, name), "w") as file:
                    file.write(text)
            self.command = [word.replace(mount["mountPath"], place) for word in self.command]

    def run(self, values):
        """Returns the value of the objective, None for a failure."""
        command = [
            re.sub(r"\$\{trialParameters\.(\w+)\}", lambda m: values[self.references[m[1]]], word)
            for word in self.command
        ]
        done = subprocess.run(command, capture_output=True, text=True)
        found = re.findall(rf"^{re.escape(self.metric)}\s*=\s*(\S+)", done.stdout, re.MULTILINE)
        return found[-1] if done.returncode == 0 and found else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("manifest")
    parser.add_argument("--address", default="127.0.0.1:6789")
    parser.add_argument("--trials", type=int, help="in place of maxTrialCount")
    args = parser.parse_args()
    with open(args.manifest) as file:
        documents = list(yaml.safe_load_all(file))
    manifest = next(d for d in documents if d["kind"] == "Experiment")
    config_maps = {d["metadata"]["name"]: d["data"] for d in documents if d["kind"] == "ConfigMap"}
    experiment = convert(manifest)
    trials = args.trials or experiment.spec.max_trial_count
    controller = Controller(args.address, experiment)
    controller.validate()
    best = None
    sign = -1 if experiment.spec.objective.type == api.MAXIMIZE else 1
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(experiment.spec.parallel_trial_count) as pool:
        jobs, running, done = Jobs(manifest, config_maps, directory), {}, 0
        while done < trials:
            wanted = min(experiment.spec.parallel_trial_count - len(running), trials - controller.received)
            if wanted > 0:
                for trial in controller.suggestions(wanted):
                    running[pool.submit(jobs.run, assignments(trial))] = trial
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                trial, value = running.pop(future), future.result()
                done += 1
                if value is None:
                    controller.finish(trial, Condition.FAILED)
                else:
                    controller.finish(trial, Condition.SUCCEEDED, value)
                    if best is None or sign * float(value) < sign * float(best[0]):
                        best = value, trial
                shown = " ".join(f"{k}={v}" for k, v in assignments(trial).items())
                print(f"{done:3} {trial.name}  {jobs.metric}={value}  {shown}", flush=True)
    if best:
        print(f"best: {jobs.metric}={best[0]}, {assignments(best[1])}")


if __name__ == "__main__":
    sys.exit(main())
