// Package api is the part of Katib's gRPC interface v1beta1 that a suggestion
// service needs. The code is generated from katib.proto, with protoc from the
// Python package grpcio-tools 1.62.3:
//
//	go install google.golang.org/protobuf/cmd/protoc-gen-go@v1.36.6
//	go install google.golang.org/grpc/cmd/protoc-gen-go-grpc@v1.5.1
//	pip install grpcio-tools==1.62.3
//	go generate ./_examples/katib/api
package api

//go:generate python3 -m grpc_tools.protoc -I. --go_out=. --go_opt=paths=source_relative --go-grpc_out=. --go-grpc_opt=paths=source_relative katib.proto
