// Katib is a suggestion service for Katib, the tuner of Kubeflow, that answers
// with the FM sampler.
//
//	go run ./_examples/katib
//
// Katib starts it for each experiment, once it is an image that the KatibConfig
// names; see docs/katib.md, which also says how to try it without a cluster.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health/grpc_health_v1"

	"github.com/goptuna-fm/goptuna-fm/_examples/katib/api"
	"github.com/goptuna-fm/goptuna-fm/_examples/katib/suggestion"
)

const (
	// maxMessage bounds a request, in bytes: thousands of trials.
	maxMessage = 16 << 20
	// maxShutdown is how long requests may take to end. Kubernetes waits for 30 s
	// between SIGTERM and SIGKILL.
	maxShutdown = 25 * time.Second
	// memoryLimit, in bytes, and garbage, in percent of what is in use, are for a
	// container with 100 MiB. GOMEMLIMIT and GOGC override them.
	memoryLimit = 80 << 20
	garbage     = 40
)

func main() {
	addr := flag.String("addr", ":6789", "`address` to listen on")
	data := flag.String("data", "/opt/katib/data", "`directory` to record experiments in, if it exists")
	flag.Parse()
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, log, *addr, *data); err != nil {
		log.Error(err.Error())
		os.Exit(1)
	}
}

func run(ctx context.Context, log *slog.Logger, addr, data string) (err error) {
	limitMemory()
	service := &suggestion.Service{Log: log, Record: recorder(log, data)}
	if service.Record != nil {
		defer func() { err = errors.Join(err, service.Record.Close()) }()
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	server := grpc.NewServer(grpc.MaxRecvMsgSize(maxMessage), grpc.UnaryInterceptor(logCalls(log)))
	api.RegisterSuggestionServer(server, service)
	health := &healthServer{down: ctx.Done()}
	grpc_health_v1.RegisterHealthServer(server, health)
	go func() {
		<-ctx.Done()
		log.Info("shutting down")
		timer := time.AfterFunc(maxShutdown, server.Stop)
		defer timer.Stop()
		server.GracefulStop()
	}()
	log.Info("listening", "address", listener.Addr())
	return server.Serve(listener)
}

func limitMemory() {
	if os.Getenv("GOMEMLIMIT") == "" && debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(memoryLimit)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
}

// recorder returns a recorder in the directory, nil where there is none or it
// cannot be written to: suggestions need none.
func recorder(log *slog.Logger, data string) *suggestion.Recorder {
	if _, err := os.Stat(data); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	r, err := suggestion.NewRecorder(data)
	if err != nil {
		log.Warn("experiments are not recorded; give the directory to the user of this process to have them", "error", err)
		return nil
	}
	log.Info("recording experiments", "directory", data, "file", suggestion.DatabaseFile)
	return r
}
