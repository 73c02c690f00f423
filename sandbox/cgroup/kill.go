package cgroup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// killUnified has the kernel kill the whole group at one instant. Kernels before 5.14 lack the file; their groups are killed by signal.
func killUnified(dir string) error {
	err := os.WriteFile(filepath.Join(dir, "cgroup.kill"), []byte("1"), 0)
	if errors.Is(err, os.ErrNotExist) && exists(dir) {
		return killLegacy(dir)
	}
	return err
}

// killLegacy kills by signal, until a look at the group shows nobody new. Where the group has a pids limit it is set to none first, so
// that no fork outruns the signals. The daemon is never among the killed: it is listed while one of its threads is inside (Enter).
func killLegacy(dir string) error {
	if limit := filepath.Join(dir, "pids.max"); exists(limit) {
		if err := os.WriteFile(limit, []byte("0"), 0); err != nil {
			return err
		}
	}
	killed := map[int]bool{os.Getpid(): true}
	for {
		pids, err := readPids(dir)
		if err != nil {
			return err
		}
		fresh := false
		for _, pid := range pids {
			if killed[pid] {
				continue
			}
			killed[pid], fresh = true, true
			if err := unix.Kill(pid, unix.SIGKILL); err != nil && !errors.Is(err, unix.ESRCH) {
				return fmt.Errorf("process %d: %w", pid, err)
			}
		}
		if !fresh {
			return nil
		}
	}
}

const tick = 100 * time.Millisecond // how late the end of a context is noticed

// waitUnified sleeps until the kernel says that cgroup.events has changed.
func waitUnified(ctx context.Context, dir string) error {
	f, err := os.Open(filepath.Join(dir, "cgroup.events"))
	if errors.Is(err, os.ErrNotExist) {
		return nil // removed: nobody was left
	}
	if err != nil {
		return err
	}
	defer f.Close()
	text := make([]byte, 512)
	for {
		// Read, then poll: a change in between is reported, but only to the descriptor that was read from.
		n, err := f.ReadAt(text, 0)
		if errors.Is(err, unix.ENODEV) {
			return nil // removed meanwhile
		}
		if err != nil && err != io.EOF {
			return err
		}
		if left, err := count(string(text[:n]), "populated"); err != nil || left == 0 {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		fds := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLPRI}}
		if _, err := unix.Poll(fds, int(tick.Milliseconds())); err != nil && !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// waitLegacy looks again and again: v1 tells nobody when a group becomes empty.
func waitLegacy(ctx context.Context, dir string) error {
	again := time.NewTicker(2 * time.Millisecond)
	defer again.Stop()
	for {
		pids, err := readPids(dir)
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err != nil || len(pids) == 0 || len(pids) == 1 && pids[0] == os.Getpid() {
			return err
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func readPids(dir string) (pids []int, err error) {
	b, err := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
	if err != nil {
		return nil, err
	}
	for _, word := range strings.Fields(string(b)) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			return nil, err
		}
		pids = append(pids, pid)
	}
	return pids, nil
}

func readCount(file, key string) (int, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	return count(string(b), key)
}

// count reads one "key number" line. A key that is not there counts nothing.
func count(text, key string) (int, error) {
	for line := range strings.Lines(text) {
		if k, v, ok := strings.Cut(strings.TrimSpace(line), " "); ok && k == key {
			return strconv.Atoi(v)
		}
	}
	return 0, nil
}
