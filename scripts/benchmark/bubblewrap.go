package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"majordomo/sandbox/seccomp"
)

// bubblewrapArgs ask for what our sandbox does, as far as it can: the namespaces, the view of the host, a filter, no
// capability. It has no Landlock, and as root no other uid: both are for it to save.
var bubblewrapArgs = []string{
	"--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net", "--unshare-cgroup", "--hostname", "echo",
	"--new-session", "--die-with-parent", "--cap-drop", "ALL", "--clearenv", "--setenv", "PATH", "/usr/bin:/bin",
	"--ro-bind", "/usr", "/usr", "--proc", "/proc", "--dev", "/dev",
	"--tmpfs", "/tmp", "--tmpfs", "/dev/shm", "--tmpfs", "/root", "--dir", "/run", "--dir", "/var", "--dir", "/home",
	"--ro-bind", "/etc/passwd", "/etc/passwd", "--ro-bind", "/etc/group", "/etc/group", "--ro-bind", "/etc/hosts", "/etc/hosts",
}

// shownToo is what else of the host is seen in both, where it exists.
var shownToo = []string{
	"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/localtime", "/etc/resolv.conf", "/etc/nsswitch.conf",
	"/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/mime.types", "/etc/protocols",
	"/etc/services", "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/ca-certificates", "/etc/timezone",
}

// measureBubblewrap: the start of measureStart, against bubblewrap with the same layers.
func measureBubblewrap(ctx context.Context, place string, rounds int) (result, error) {
	program, err := exec.LookPath("bwrap")
	if err != nil {
		return result{}, unmeasured{fmt.Errorf("bubblewrap is not installed: %w", err)}
	}
	place = filepath.Join(place, "bubblewrap")
	bare, err := openBare(ctx, place)
	if err != nil {
		return result{}, err
	}
	defer bare.close()
	filter, err := seccomp.Program(seccomp.Ban{})
	if err != nil {
		return result{}, err
	}
	args := append(bubblewrapArgs, "--seccomp", "3", "--ro-bind", beside("echo"), "/opt/echo")
	for _, p := range shownToo {
		args = append(args, view(p)...)
	}
	ours, against, err := inTurn(ctx, rounds*starts,
		func(int) (time.Duration, error) { return bare.start() },
		func(int) (time.Duration, error) {
			return wrapped(exec.CommandContext(ctx, program, append(args, "/opt/echo")...), filter)
		})
	if err != nil {
		return result{}, err
	}
	times := ratio(ours, against)
	return result{ours.String(), against.String(), fmt.Sprintf("%.2f times", times), times <= 1}, nil
}

// view repeats a link, and binds anything else.
func view(p string) []string {
	if to, err := os.Readlink(p); err == nil && filepath.Dir(p) == "/" {
		return []string{"--symlink", to, p}
	}
	return []string{"--ro-bind-try", p, p}
}

// wrapped times bubblewrap, which reads its filter from a descriptor.
func wrapped(cmd *exec.Cmd, filter []byte) (time.Duration, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer read.Close()
	if _, err := write.Write(filter); err != nil { // a pipe holds it
		return 0, err
	}
	write.Close()
	cmd.ExtraFiles = []*os.File{read}
	return plain(cmd)
}
