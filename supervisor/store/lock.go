package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"majordomo/configs"
	"majordomo/configs/humanize"
)

// HeldError says that another daemon owns the state directory.
type HeldError struct {
	State  string
	Holder string // "pid 12, started 2026-01-02T03:04:05Z"; "" when it did not say
}

func (e *HeldError) Error() string {
	holder := e.Holder
	if holder == "" {
		holder = "another process"
	}
	return fmt.Sprintf("cannot use state directory %s: a daemon already runs on it (%s); stop that one, or give this one its own --state", e.State, holder)
}

// acquire takes the lock, which the kernel drops when this process dies, and
// writes who holds it.
func acquire(p configs.Paths) (*os.File, error) {
	f, err := os.OpenFile(p.Lock(), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot lock state directory %s: %w; name another with --state", p.State, naming(p.State, err))
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = &HeldError{State: p.State, Holder: holder(f)}
	} else if err == nil {
		err = sign(f)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func holder(f *os.File) string {
	text, err := io.ReadAll(io.LimitReader(f, 256))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

func sign(f *os.File) error {
	text := fmt.Sprintf("pid %d, started %s\n", os.Getpid(), time.Now().UTC().Format(time.RFC3339))
	if err := f.Truncate(0); err != nil {
		return fmt.Errorf("cannot write %s: %w", f.Name(), humanize.Error(err))
	}
	if _, err := f.WriteAt([]byte(text), 0); err != nil {
		return fmt.Errorf("cannot write %s: %w", f.Name(), humanize.Error(err))
	}
	return nil
}
