"""What Katib's controller does with a suggestion service, for one experiment.

It follows pkg/controller.v1beta1/suggestion/suggestionclient of Katib at 33c8ff4,
with the client that the package kubeflow-katib ships.
"""

import datetime
import random
import string

import grpc
from kubeflow.katib import katib_api_pb2 as api
from kubeflow.katib import katib_api_pb2_grpc as api_grpc

TIMEOUT = 60  # seconds
Condition = api.TrialStatus.TrialConditionType
BEGINNING = datetime.datetime(2026, 1, 1)


class Controller:
    """Suggestions and trials of an experiment.

    Trials are sent in random order, as the controller's cache lists them. Labels
    of suggestions are not sent back: Katib writes them to the metadata of trials,
    and sends those of their specification.
    """

    def __init__(self, address, experiment):
        self.experiment = experiment
        self.trials = {}  # api.Trial by name, in the order of the suggestions
        self.settings = {}  # of replies
        self.received = 0
        self.random = random.Random(experiment.name)
        self.clock = 0
        self.connect(address)

    def connect(self, address):
        channel = grpc.insecure_channel(address)
        grpc.channel_ready_future(channel).result(timeout=TIMEOUT)
        self.service = api_grpc.SuggestionStub(channel)

    def validate(self):
        """Raises grpc.RpcError when the experiment cannot be tuned."""
        request = api.ValidateAlgorithmSettingsRequest(experiment=self.experiment)
        self.service.ValidateAlgorithmSettings(request, timeout=TIMEOUT)

    def request(self, wanted):
        """Returns the request for so many suggestions."""
        experiment = api.Experiment()
        experiment.CopyFrom(self.experiment)
        settings = experiment.spec.algorithm.algorithm_settings
        for name, value in self.settings.items():
            settings.append(api.AlgorithmSetting(name=name, value=value))
        trials = [t for t in self.trials.values() if is_sent(t)]
        self.random.shuffle(trials)
        return api.GetSuggestionsRequest(
            experiment=experiment,
            trials=trials,
            current_request_number=wanted,
            total_request_number=self.received + wanted,
        )

    def ask(self, request, timeout=TIMEOUT):
        return self.service.GetSuggestions(request, timeout=timeout)

    def accept(self, request, reply):
        """Creates the trials of a reply and returns them."""
        wanted = request.current_request_number
        if len(reply.parameter_assignments) != wanted:
            raise ValueError(f"{len(reply.parameter_assignments)} suggestions, {wanted} wanted")
        created = []
        for suggestion in reply.parameter_assignments:
            name = suggestion.trial_name or self.experiment.name + "-" + self.suffix()
            if name in self.trials:
                raise ValueError(f"there is a trial {name} already")
            trial = api.Trial(
                name=name,
                spec=api.TrialSpec(
                    objective=self.experiment.spec.objective,
                    parameter_assignments=api.TrialSpec.ParameterAssignments(
                        assignments=suggestion.assignments
                    ),
                ),
                status=api.TrialStatus(start_time=self.time(), condition=Condition.RUNNING),
            )
            self.trials[name] = trial
            created.append(trial)
        self.received += wanted
        for setting in reply.algorithm.algorithm_settings:
            self.settings[setting.name] = setting.value
        return created

    def suggestions(self, wanted):
        """Returns so many new running trials."""
        request = self.request(wanted)
        return self.accept(request, self.ask(request))

    def finish(self, trial, condition, value=None):
        """Ends a trial, with the value of the objective, if there is one."""
        trial.status.condition = condition
        trial.status.completion_time = self.time()
        if value is not None:
            metric = self.experiment.spec.objective.objective_metric_name
            trial.status.observation.metrics.append(api.Metric(name=metric, value=str(value)))

    def suffix(self):
        return "".join(self.random.choices(string.ascii_lowercase + string.digits, k=8))

    def time(self):
        """Returns a time, a second after the last one."""
        self.clock += 1
        return (BEGINNING + datetime.timedelta(seconds=self.clock)).strftime("%Y-%m-%dT%H:%M:%SZ")


def is_sent(trial):
    """Tells whether the controller sends a trial with its requests."""
    if trial.status.condition == Condition.METRICSUNAVAILABLE:
        return False
    observed = len(trial.status.observation.metrics) > 0
    return observed or trial.status.condition != Condition.EARLYSTOPPED


def assignments(trial):
    """Returns the values of a trial by parameter, as text."""
    return {a.name: a.value for a in trial.spec.parameter_assignments.assignments}
