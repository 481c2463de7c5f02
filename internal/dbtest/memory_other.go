//go:build !linux

package dbtest

func memoryDir() string { return "" }
