package sandbox

import (
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// reserved is what the sandbox builds itself: nothing is mounted there or below.
var reserved = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/dev", "/sys"}

// problems of one mount.
func (m Mount) problems() (out []string) {
	switch {
	case !absolute(m.Target):
		out = append(out, "want a clean absolute path")
	case slices.Contains([]string{"/", "/etc", "/tmp", "/root"}, m.Target):
		out = append(out, "would cover what the sandbox builds there")
	case slices.ContainsFunc(reserved, func(dir string) bool { return within(m.Target, dir) }):
		out = append(out, "lies where the sandbox builds its own view")
	}
	switch {
	case m.Beneath == "" && !absolute(m.Source):
		out = append(out, "the source must be a clean absolute path")
	case m.Beneath == "" && m.Source == "/":
		out = append(out, "the source is the whole host")
	case m.Beneath != "" && !absolute(m.Beneath):
		out = append(out, "beneath must be a clean absolute path")
	case m.Beneath != "" && !isLocal(m.Source):
		out = append(out, "the source must be a clean path that stays beneath")
	}
	return out
}

func (m Mount) hostSource() string {
	if m.Beneath == "" {
		return m.Source
	}
	return m.Beneath + "/" + m.Source
}

// open opens the source, and below Beneath follows nothing out of it. With O_PATH nothing can be done with the file but to name it.
func (m Mount) open(flags int) (*os.File, error) {
	if m.Beneath == "" {
		return openFile(m.Source, flags)
	}
	base, err := openFile(m.Beneath, unix.O_PATH|unix.O_DIRECTORY)
	if err != nil {
		return nil, err
	}
	defer base.Close()
	fd, err := unix.Openat2(int(base.Fd()), m.Source, &unix.OpenHow{
		Flags: uint64(flags) | unix.O_CLOEXEC, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
	})
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: m.hostSource(), Err: err}
	}
	return os.NewFile(uintptr(fd), m.hostSource()), nil
}

func openFile(path string, flags int) (*os.File, error) {
	fd, err := unix.Open(path, flags|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(fd), path), nil
}
