package main

import (
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/goptuna-fm/goptuna-fm/_examples/katib/api"
	"github.com/goptuna-fm/goptuna-fm/_examples/katib/suggestion"
)

// The fields of Katib's and Kubernetes' types that the manifests may have: YAML
// with any other is refused. They are those of
// pkg/apis/config/v1beta1/types.go and pkg/apis/controller/experiments/v1beta1 in
// Katib at 33c8ff4, and of core/v1 and batch/v1.
type (
	object struct {
		APIVersion string   `yaml:"apiVersion"`
		Kind       string   `yaml:"kind"`
		Metadata   metadata `yaml:"metadata"`
	}
	metadata struct {
		Name        string            `yaml:"name"`
		Namespace   string            `yaml:"namespace"`
		Labels      map[string]string `yaml:"labels"`
		Annotations map[string]string `yaml:"annotations"`
	}
	resources struct {
		Requests map[string]string `yaml:"requests"`
		Limits   map[string]string `yaml:"limits"`
	}
	securityContext struct {
		RunAsNonRoot             bool  `yaml:"runAsNonRoot"`
		RunAsUser                int64 `yaml:"runAsUser"`
		ReadOnlyRootFilesystem   bool  `yaml:"readOnlyRootFilesystem"`
		AllowPrivilegeEscalation *bool `yaml:"allowPrivilegeEscalation"`
		Capabilities             struct {
			Add, Drop []string
		} `yaml:"capabilities"`
		SeccompProfile struct {
			Type string `yaml:"type"`
		} `yaml:"seccompProfile"`
	}
	volumeMount struct {
		Name      string `yaml:"name"`
		MountPath string `yaml:"mountPath"`
		ReadOnly  bool   `yaml:"readOnly"`
	}
	container struct {
		Name            string          `yaml:"name"`
		Image           string          `yaml:"image"`
		ImagePullPolicy string          `yaml:"imagePullPolicy"`
		Command         []string        `yaml:"command"`
		Args            []string        `yaml:"args"`
		Resources       resources       `yaml:"resources"`
		SecurityContext securityContext `yaml:"securityContext"`
		VolumeMounts    []volumeMount   `yaml:"volumeMounts"`
	}
	volume struct {
		Name      string `yaml:"name"`
		ConfigMap struct {
			Name string `yaml:"name"`
		} `yaml:"configMap"`
	}
	job struct {
		object `yaml:",inline"`
		Spec   struct {
			Template struct {
				Metadata metadata `yaml:"metadata"`
				Spec     struct {
					Containers    []container `yaml:"containers"`
					Volumes       []volume    `yaml:"volumes"`
					RestartPolicy string      `yaml:"restartPolicy"`
				} `yaml:"spec"`
			} `yaml:"template"`
		} `yaml:"spec"`
	}
	katibConfig struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string `yaml:"kind"`
		Runtime    struct {
			Suggestions []struct {
				AlgorithmName   string `yaml:"algorithmName"`
				container       `yaml:",inline"`
				ServiceAccount  string `yaml:"serviceAccountName"`
				VolumeMountPath string `yaml:"volumeMountPath"`
				Claim           struct {
					AccessModes      []string  `yaml:"accessModes"`
					StorageClassName string    `yaml:"storageClassName"`
					Resources        resources `yaml:"resources"`
				} `yaml:"persistentVolumeClaimSpec"`
			} `yaml:"suggestions"`
		} `yaml:"runtime"`
	}
	setting struct {
		Name  string `yaml:"name"`
		Value string `yaml:"value"`
	}
	katibExperiment struct {
		object `yaml:",inline"`
		Spec   struct {
			Objective struct {
				Type                string   `yaml:"type"`
				Goal                *float64 `yaml:"goal"`
				ObjectiveMetricName string   `yaml:"objectiveMetricName"`
			} `yaml:"objective"`
			Algorithm struct {
				AlgorithmName     string    `yaml:"algorithmName"`
				AlgorithmSettings []setting `yaml:"algorithmSettings"`
			} `yaml:"algorithm"`
			ParallelTrialCount  int32  `yaml:"parallelTrialCount"`
			MaxTrialCount       int32  `yaml:"maxTrialCount"`
			MaxFailedTrialCount int32  `yaml:"maxFailedTrialCount"`
			ResumePolicy        string `yaml:"resumePolicy"`
			Parameters          []struct {
				Name          string `yaml:"name"`
				ParameterType string `yaml:"parameterType"`
				FeasibleSpace struct {
					Max          string   `yaml:"max"`
					Min          string   `yaml:"min"`
					List         []string `yaml:"list"`
					Step         string   `yaml:"step"`
					Distribution string   `yaml:"distribution"`
				} `yaml:"feasibleSpace"`
			} `yaml:"parameters"`
			TrialTemplate struct {
				PrimaryContainerName string `yaml:"primaryContainerName"`
				TrialParameters      []struct {
					Name        string `yaml:"name"`
					Description string `yaml:"description"`
					Reference   string `yaml:"reference"`
				} `yaml:"trialParameters"`
				TrialSpec job `yaml:"trialSpec"`
			} `yaml:"trialTemplate"`
		} `yaml:"spec"`
	}
	configMap struct {
		object `yaml:",inline"`
		Data   map[string]string `yaml:"data"`
	}
)

// decode decodes the YAML documents of a file into the values, in order, and fails
// at a field that they do not have.
func decode(t *testing.T, name string, into ...any) {
	t.Helper()
	file, err := os.Open(filepath.Join("deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	decoder := yaml.NewDecoder(file)
	decoder.KnownFields(true)
	for _, v := range into {
		if err := decoder.Decode(v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if err := decoder.Decode(new(any)); !errors.Is(err, io.EOF) {
		t.Fatalf("%s has more documents", name)
	}
}

// A field that the types do not have is refused, as are fields in wrong places.
func TestUnknownFields(t *testing.T) {
	for _, text := range []string{"spec: {paralelTrialCount: 3}", "image: x", "spec: {trialTemplate: {trialSpec: {spec: {containers: []}}}}"} {
		decoder := yaml.NewDecoder(strings.NewReader(text))
		decoder.KnownFields(true)
		if err := decoder.Decode(new(katibExperiment)); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}

func TestKatibConfig(t *testing.T) {
	var c katibConfig
	decode(t, "katib-config.yaml", &c)
	if c.APIVersion != "config.kubeflow.org/v1beta1" || c.Kind != "KatibConfig" || len(c.Runtime.Suggestions) != 1 {
		t.Fatalf("%+v", c)
	}
	s := c.Runtime.Suggestions[0]
	switch {
	case s.AlgorithmName != "fm", s.Image == "":
		t.Errorf("algorithm %q, image %q", s.AlgorithmName, s.Image)
	case s.Resources.Limits["memory"] != "100Mi", s.Resources.Limits["cpu"] != "500m":
		t.Errorf("limits %v, want Katib's defaults", s.Resources.Limits)
	case !s.SecurityContext.RunAsNonRoot, !s.SecurityContext.ReadOnlyRootFilesystem, !slices.Equal(s.SecurityContext.Capabilities.Drop, []string{"ALL"}):
		t.Errorf("security context %+v", s.SecurityContext)
	case s.VolumeMountPath != "/opt/katib/data", len(s.Claim.AccessModes) != 1, s.Claim.Resources.Requests["storage"] == "":
		t.Errorf("volume %q, claim %+v", s.VolumeMountPath, s.Claim)
	}
}

// The service accepts the experiment; its Job gets each parameter and mounts the
// ConfigMap.
func TestExperiment(t *testing.T) {
	service := &suggestion.Service{Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	if _, err := service.ValidateAlgorithmSettings(t.Context(), &api.ValidateAlgorithmSettingsRequest{Experiment: experiment(t)}); err != nil {
		t.Error(err)
	}
	var files configMap
	var e katibExperiment
	decode(t, "experiment.yaml", &files, &e)
	template := e.Spec.TrialTemplate
	pod := template.TrialSpec.Spec.Template.Spec
	if files.Kind != "ConfigMap" || e.Kind != "Experiment" || template.TrialSpec.Kind != "Job" || len(pod.Containers) != 1 || pod.Containers[0].Name != template.PrimaryContainerName {
		t.Fatalf("%s, %s, %s of %v", files.Kind, e.Kind, template.TrialSpec.Kind, pod.Containers)
	}
	command := strings.Join(pod.Containers[0].Command, " ")
	var used, declared, references, parameters []string
	for _, match := range regexp.MustCompile(`\$\{trialParameters\.(\w+)\}`).FindAllStringSubmatch(command, -1) {
		used = append(used, match[1])
	}
	for _, p := range template.TrialParameters {
		declared, references = append(declared, p.Name), append(references, p.Reference)
	}
	for _, p := range e.Spec.Parameters {
		parameters = append(parameters, p.Name)
	}
	if !slices.Equal(used, declared) || !slices.Equal(references, parameters) {
		t.Errorf("the command uses %v of %v, which refer to %v of %v", used, declared, references, parameters)
	}
	script := pod.Containers[0].VolumeMounts[0].MountPath + "/train.py"
	if !strings.Contains(command, script) || files.Data["train.py"] == "" || pod.Volumes[0].ConfigMap.Name != files.Metadata.Name || files.Metadata.Namespace != e.Metadata.Namespace {
		t.Errorf("the command %q does not run the script of the ConfigMap", command)
	}
}

// experiment returns the experiment of the manifest as Katib's controller sends it.
func experiment(t *testing.T) *api.Experiment {
	t.Helper()
	var files configMap
	var e katibExperiment
	decode(t, "experiment.yaml", &files, &e)
	spec := &api.ExperimentSpec{
		Algorithm:      &api.AlgorithmSpec{AlgorithmName: e.Spec.Algorithm.AlgorithmName},
		Objective:      &api.ObjectiveSpec{Type: api.ObjectiveType(api.ObjectiveType_value[strings.ToUpper(e.Spec.Objective.Type)]), ObjectiveMetricName: e.Spec.Objective.ObjectiveMetricName},
		ParameterSpecs: &api.ExperimentSpec_ParameterSpecs{},
	}
	for _, s := range e.Spec.Algorithm.AlgorithmSettings {
		spec.Algorithm.AlgorithmSettings = append(spec.Algorithm.AlgorithmSettings, &api.AlgorithmSetting{Name: s.Name, Value: s.Value})
	}
	distributions := map[string]api.Distribution{"logUniform": api.Distribution_LOG_UNIFORM}
	for _, p := range e.Spec.Parameters {
		space := p.FeasibleSpace
		spec.ParameterSpecs.Parameters = append(spec.ParameterSpecs.Parameters, &api.ParameterSpec{
			Name: p.Name, ParameterType: api.ParameterType(api.ParameterType_value[strings.ToUpper(p.ParameterType)]),
			FeasibleSpace: &api.FeasibleSpace{Min: space.Min, Max: space.Max, Step: space.Step, List: space.List, Distribution: distributions[space.Distribution]},
		})
	}
	return &api.Experiment{Name: e.Metadata.Name, Spec: spec}
}

// No manifest is without a test.
func TestAllManifests(t *testing.T) {
	files, err := fs.Glob(os.DirFS("deploy"), "*.yaml")
	if err != nil || !slices.Equal(files, []string{"experiment.yaml", "katib-config.yaml"}) {
		t.Errorf("the manifests are %v, %v", files, err)
	}
}
