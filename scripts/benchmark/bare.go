package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// bareMark in the environment makes this program serve starts, instead of measuring.
const bareMark = "BENCHMARK_BARE"

// bare starts connectors on a host that has no control groups of version 1: in a process of ours with mounts of its own,
// which has let go of them. The machine's own mounts are not touched.
type bare struct {
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

func openBare(ctx context.Context, place string) (*bare, error) {
	if os.Geteuid() != 0 {
		return nil, unmeasured{errors.New("only root has every layer")}
	}
	b := &bare{process: exec.CommandContext(ctx, "/proc/self/exe")}
	b.process.Env = append(os.Environ(), bareMark+"="+place)
	b.process.Stderr = os.Stderr
	b.process.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS} // and Go makes all mounts private in it
	var err error
	if b.in, err = b.process.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := b.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	b.out = bufio.NewReader(out)
	return b, b.process.Start()
}

// start has one connector started there, and returns what it took by the clock there.
func (b *bare) start() (time.Duration, error) {
	if _, err := io.WriteString(b.in, "start\n"); err != nil {
		return 0, err
	}
	line, err := b.out.ReadString('\n')
	if err != nil {
		return 0, fmt.Errorf("cannot start anything without limits: %w", err)
	}
	took, err := strconv.ParseInt(strings.TrimSpace(line), 10, 64)
	return time.Duration(took), err
}

func (b *bare) close() {
	_ = b.in.Close()
	_ = b.process.Wait()
}

// serveBare is the other side: a line for each line.
func serveBare(ctx context.Context, place string) error {
	if err := dropLegacyGroups(); err != nil {
		return err
	}
	host, err := openHost(place)
	if err != nil {
		return err
	}
	defer host.Close()
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		took, err := confined(ctx, host)
		if err != nil {
			return err
		}
		fmt.Println(took.Nanoseconds())
	}
	return nil
}

// dropLegacyGroups unmounts, for this process alone, every control group hierarchy of version 1.
func dropLegacyGroups() error {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(mounts)) {
		before, after, _ := strings.Cut(line, " - ")
		if strings.Contains(before, " shared:") || strings.Contains(before, " master:") {
			return errors.New("the mounts are not private")
		}
		if fields := strings.Fields(before); strings.HasPrefix(after, "cgroup ") {
			if err := unix.Unmount(fields[4], unix.MNT_DETACH); err != nil {
				return fmt.Errorf("cannot do without %s: %w", fields[4], err)
			}
		}
	}
	return nil
}
