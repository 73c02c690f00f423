package disk

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// maxDepth bounds the descriptors that a walk holds at one time.
const maxDepth = 64

// Measure adds up what lies below dir, and stops as soon as that is over the limit. What goes away meanwhile does not count.
func Measure(dir *os.File, l Limit) (Usage, error) {
	var st unix.Stat_t
	if err := unix.Fstat(int(dir.Fd()), &st); err != nil {
		return Usage{}, err
	}
	w := walk{limit: l, dev: st.Dev, linked: map[uint64]bool{}}
	err := w.dir(int(dir.Fd()), ".", 0)
	if errors.Is(err, errEnough) {
		err = nil
	}
	return w.usage, err
}

var errEnough = errors.New("enough is known")

type walk struct {
	limit  Limit
	usage  Usage
	dev    uint64
	linked map[uint64]bool // inodes with several names that were counted
}

// dir counts what is in the directory called name; the error is about the first one only.
func (w *walk) dir(parent int, name string, depth int) error {
	if depth > maxDepth {
		w.usage.Deep = true
		return errEnough
	}
	fd, err := unix.Openat(parent, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		if depth == 0 {
			return err
		}
		return nil // gone, or something else by now
	}
	f := os.NewFile(uintptr(fd), name)
	defer f.Close()
	for {
		names, err := f.Readdirnames(256)
		for _, n := range names {
			if err := w.entry(fd, n, depth); err != nil {
				return err
			}
		}
		if err != nil {
			if depth == 0 && !errors.Is(err, io.EOF) {
				return err
			}
			return nil
		}
	}
}

func (w *walk) entry(parent int, name string, depth int) error {
	var st unix.Stat_t
	if unix.Fstatat(parent, name, &st, unix.AT_SYMLINK_NOFOLLOW) != nil || st.Dev != w.dev {
		return nil
	}
	isDir := st.Mode&unix.S_IFMT == unix.S_IFDIR
	if !isDir && st.Nlink > 1 {
		if w.linked[st.Ino] {
			return nil
		}
		w.linked[st.Ino] = true
	}
	w.usage.Bytes += st.Blocks * 512
	w.usage.Inodes++
	if w.limit.Over(w.usage) != "" {
		return errEnough
	}
	if isDir {
		return w.dir(parent, name, depth+1)
	}
	return nil
}
