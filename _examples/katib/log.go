package main

import (
	"context"
	"fmt"
	"log/slog"
	"path"
	"runtime/debug"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/goptuna-fm/goptuna-fm/_examples/katib/api"
)

// logCalls returns an interceptor that writes a line for each call of the
// suggestion service, and turns a panic into an error of the call.
func logCalls(log *slog.Logger) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, request any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (reply any, err error) {
		start := time.Now()
		defer func() {
			if r := recover(); r != nil {
				log.Error("panic", "value", r, "stack", string(debug.Stack()))
				reply, err = nil, status.Error(codes.Internal, fmt.Sprint(r))
			}
			if fields := describe(request); fields != nil {
				fields = append(fields, "code", status.Code(err), "seconds", fmt.Sprintf("%.3f", time.Since(start).Seconds()))
				if err != nil {
					fields = append(fields, "error", status.Convert(err).Message())
				}
				log.Info(path.Base(info.FullMethod), fields...)
			}
		}()
		return handle(ctx, request)
	}
}

// describe returns what to log of a request, nil for one that is not logged.
func describe(request any) []any {
	switch r := request.(type) {
	case *api.GetSuggestionsRequest:
		return []any{"experiment", r.GetExperiment().GetName(), "trials", len(r.GetTrials()), "wanted", r.GetCurrentRequestNumber(), "total", r.GetTotalRequestNumber()}
	case *api.ValidateAlgorithmSettingsRequest:
		return []any{"experiment", r.GetExperiment().GetName()}
	}
	return nil
}
