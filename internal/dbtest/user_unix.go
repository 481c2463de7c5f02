//go:build unix

package dbtest

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// own gives a directory to the user that the server will run as. Servers refuse
// to be run by root.
func own(dir string, users []string) error {
	if os.Getuid() != 0 {
		return nil
	}
	c := credential(users)
	if c == nil {
		return fmt.Errorf("root must not run it, and none of the users %q exists", users)
	}
	return os.Chown(dir, int(c.Uid), int(c.Gid))
}

// become makes a command run as that user, and out of reach of an interrupt
// from the keyboard: the server must outlive the tests that it interrupts.
func become(cmd *exec.Cmd, users []string) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = credential(users)
	}
}

// credential returns the first of the users that exists.
func credential(users []string) *syscall.Credential {
	for _, name := range users {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(u.Uid, 10, 32)
		if err != nil {
			continue
		}
		gid, err := strconv.ParseUint(u.Gid, 10, 32)
		if err != nil {
			continue
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	return nil
}
