package main

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"github.com/goptuna-fm/goptuna-fm/_examples/katib/api"
)

// output is what a server logs.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// A server is one that runs until the test is over or stop is called, which
// returns what run returned.
type server struct {
	conn *grpc.ClientConn
	log  *output
	stop func() error
}

func start(t *testing.T, data string) server {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s := server{log: &output{}}
	done := make(chan error, 1)
	go func() { done <- run(ctx, slog.New(slog.NewTextHandler(s.log, nil)), "127.0.0.1:0", data) }()
	s.stop = sync.OnceValue(func() error {
		cancel()
		return <-done
	})
	t.Cleanup(func() { _ = s.stop() })
	listening := regexp.MustCompile(`msg=listening address=(\S+)`)
	for range 1000 {
		if match := listening.FindStringSubmatch(s.log.String()); match != nil {
			conn, err := grpc.NewClient(match[1], grpc.WithTransportCredentials(insecure.NewCredentials()))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { conn.Close() })
			s.conn = conn
			return s
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("the server does not listen: %s", s.log)
	return s
}

// Whatever the name of the service that a probe asks for, it serves; a watch is
// told when the server shuts down.
func TestHealth(t *testing.T) {
	s := start(t, filepath.Join(t.TempDir(), "missing"))
	health := grpc_health_v1.NewHealthClient(s.conn)
	for _, service := range []string{"", "manager.v1beta1.Suggestion", "api.v1.beta1.Suggestion"} {
		reply, err := health.Check(t.Context(), &grpc_health_v1.HealthCheckRequest{Service: service})
		if err != nil || reply.GetStatus() != grpc_health_v1.HealthCheckResponse_SERVING {
			t.Errorf("%q: %v, %v", service, reply.GetStatus(), err)
		}
	}
	watch, err := health.Watch(t.Context(), &grpc_health_v1.HealthCheckRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []grpc_health_v1.HealthCheckResponse_ServingStatus{grpc_health_v1.HealthCheckResponse_SERVING, grpc_health_v1.HealthCheckResponse_NOT_SERVING} {
		reply, err := watch.Recv()
		if err != nil || reply.GetStatus() != want {
			t.Fatalf("%v, %v; want %v", reply.GetStatus(), err, want)
		}
		go s.stop()
	}
}

// A request that is being answered when the server is told to shut down gets its
// answer, and the server ends without an error.
func TestShutdown(t *testing.T) {
	s := start(t, filepath.Join(t.TempDir(), "missing"))
	e := experiment(t)
	answered := make(chan error, 1)
	go func() {
		_, err := api.NewSuggestionClient(s.conn).GetSuggestions(context.Background(), &api.GetSuggestionsRequest{Experiment: e, CurrentRequestNumber: 200}, grpc.WaitForReady(true))
		answered <- err
	}()
	time.Sleep(50 * time.Millisecond)
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if err := <-answered; err != nil && status.Code(err) != codes.Unavailable { // it came too late
		t.Error(err)
	}
}

// Each call leaves a line with what it was about and how it ended.
func TestLog(t *testing.T) {
	s := start(t, t.TempDir())
	client := api.NewSuggestionClient(s.conn)
	if _, err := client.GetSuggestions(t.Context(), &api.GetSuggestionsRequest{Experiment: experiment(t), CurrentRequestNumber: 2}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.ValidateAlgorithmSettings(t.Context(), &api.ValidateAlgorithmSettingsRequest{}); status.Code(err) != codes.InvalidArgument {
		t.Errorf("%v, want INVALID_ARGUMENT", err)
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	for _, want := range []string{
		"recording experiments",
		"msg=GetSuggestions experiment=fm-moons trials=0 wanted=2 total=0 code=OK seconds=",
		`msg=ValidateAlgorithmSettings experiment="" code=InvalidArgument`,
	} {
		if !strings.Contains(s.log.String(), want) {
			t.Errorf("no %q in %s", want, s.log)
		}
	}
}

// A directory that cannot be written to is no reason not to answer.
func TestReadOnlyDirectory(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "katib.db"), 0o700); err != nil { // where the file would be
		t.Fatal(err)
	}
	s := start(t, dir)
	if _, err := api.NewSuggestionClient(s.conn).GetSuggestions(t.Context(), &api.GetSuggestionsRequest{Experiment: experiment(t), CurrentRequestNumber: 2}); err != nil {
		t.Error(err)
	}
	if !strings.Contains(s.log.String(), "experiments are not recorded") {
		t.Errorf("the log does not say so: %s", s.log)
	}
}

// A panic ends the call, not the process.
func TestPanic(t *testing.T) {
	log := &output{}
	_, err := logCalls(slog.New(slog.NewTextHandler(log, nil)))(t.Context(), &api.GetSuggestionsRequest{}, &grpc.UnaryServerInfo{FullMethod: "/x/GetSuggestions"},
		func(context.Context, any) (any, error) { panic("a bug") })
	if status.Code(err) != codes.Internal || !strings.Contains(log.String(), "a bug") {
		t.Errorf("error %v, log %s", err, log)
	}
}
