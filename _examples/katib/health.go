package main

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health/grpc_health_v1"
)

// healthServer says that every service is serving, by whatever name it is asked
// for: probes of several versions of Katib use several names.
type healthServer struct {
	grpc_health_v1.UnimplementedHealthServer
	down <-chan struct{} // closed when the server shuts down
}

func (h *healthServer) Check(context.Context, *grpc_health_v1.HealthCheckRequest) (*grpc_health_v1.HealthCheckResponse, error) {
	return h.status(), nil
}

// Watch sends the status, and once more when it changes.
func (h *healthServer) Watch(_ *grpc_health_v1.HealthCheckRequest, stream grpc.ServerStreamingServer[grpc_health_v1.HealthCheckResponse]) error {
	if err := stream.Send(h.status()); err != nil {
		return err
	}
	select {
	case <-stream.Context().Done():
		return stream.Context().Err()
	case <-h.down:
		return stream.Send(h.status())
	}
}

func (h *healthServer) status() *grpc_health_v1.HealthCheckResponse {
	select {
	case <-h.down:
		return &grpc_health_v1.HealthCheckResponse{Status: grpc_health_v1.HealthCheckResponse_NOT_SERVING}
	default:
		return &grpc_health_v1.HealthCheckResponse{Status: grpc_health_v1.HealthCheckResponse_SERVING}
	}
}
