package deps

import (
	"context"
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// lock waits until this process holds the lock file, for the sake of other processes: within one, flights do. The kernel
// frees it when the holder dies. unlock also removes the file.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	for {
		file, err := tryLock(path)
		if err == nil {
			return func() { os.Remove(path); file.Close() }, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// tryLock fails with EWOULDBLOCK while somebody else holds the lock.
func tryLock(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		file.Close()
		return nil, err
	}
	// The holder before us removed the file after we opened it: what we locked is nobody's lock any more.
	here, err := os.Stat(path)
	ours, err2 := file.Stat()
	if err != nil || err2 != nil || !os.SameFile(here, ours) {
		file.Close()
		return nil, unix.EWOULDBLOCK
	}
	return file, nil
}
