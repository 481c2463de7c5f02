package dbtest

import "syscall"

// memoryDir returns a file system in memory with room for a server's files, or
// "". A server creates many, and waits for the disk.
func memoryDir() string {
	const name, room = "/dev/shm", 1 << 30
	var fs syscall.Statfs_t
	if err := syscall.Statfs(name, &fs); err != nil || fs.Bavail*uint64(fs.Bsize) < room {
		return ""
	}
	return name
}
