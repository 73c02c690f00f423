package process

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"majordomo/deps/delivery"
)

// errDiffers says that a copy is not what it should be.
var errDiffers = errors.New("not a faithful copy")

// same is nil when what is called name here is a faithful copy of the original: the
// same files, links and bytes, the daemon's own, read-only, and by no other name. What
// is here may be anything.
func (d dir) same(name, original string) error {
	info, err := os.Lstat(original)
	if err != nil {
		return err
	}
	if info.Mode().Type() == fs.ModeSymlink {
		return d.sameLink(name, original)
	}
	fd, err := unix.Openat2(d.fd, name, &unix.OpenHow{
		Flags: unix.O_RDONLY | unix.O_NONBLOCK | unix.O_NOFOLLOW | unix.O_CLOEXEC, Resolve: strictly,
	})
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(fd), name)
	defer f.Close()
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	kind := uint32(unix.S_IFREG)
	if info.IsDir() {
		kind = unix.S_IFDIR
	}
	if int(st.Uid) != os.Geteuid() || st.Mode != kind|uint32(delivery.Mode(info.Mode()).Perm()) {
		return errDiffers
	}
	if info.IsDir() {
		return dir{fd}.sameEntries(f, original)
	}
	if st.Nlink != 1 || st.Size != info.Size() {
		return errDiffers
	}
	return sameBytes(f, original)
}

func (d dir) sameLink(name, original string) error {
	want, err := os.Readlink(original)
	if err != nil {
		return err
	}
	got := make([]byte, len(want)+1)
	n, err := unix.Readlinkat(d.fd, name, got)
	if err != nil || string(got[:n]) != want {
		return errDiffers
	}
	return nil
}

func (d dir) sameEntries(open *os.File, original string) error {
	want, err := os.ReadDir(original)
	if err != nil {
		return err
	}
	got, err := open.Readdirnames(len(want) + 1)
	if err != nil && !errors.Is(err, io.EOF) || len(got) != len(want) {
		return errDiffers
	}
	for _, e := range want {
		if !slices.Contains(got, e.Name()) {
			return errDiffers
		}
		if err := d.same(e.Name(), filepath.Join(original, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

func sameBytes(copied io.Reader, original string) error {
	f, err := os.Open(original)
	if err != nil {
		return err
	}
	defer f.Close()
	a, b := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, err := io.ReadFull(f, a)
		m, _ := io.ReadFull(copied, b)
		if n != m || !bytes.Equal(a[:n], b[:m]) {
			return errDiffers
		}
		if err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return nil
			}
			return err
		}
	}
}

// removePath removes what is at a path below here, if that leads through directories only.
func (d dir) removePath(name string) error {
	parent, base := path.Split(name)
	at, err := d.again()
	for _, step := range strings.Split(strings.Trim(parent, "/"), "/") {
		if step == "" || err != nil {
			break
		}
		var next dir
		next, err = at.open(step)
		at.close()
		at = next
	}
	if err != nil {
		at.close()
		return nil // what is in the way is not ours
	}
	defer at.close()
	return at.remove(base)
}

// maxDepth is of directories in what is removed. Deeper ones are nobody's but a
// connector's that wants to use up our descriptors.
const maxDepth = 200

// remove removes what is called name here, whatever it is, and never follows a link.
func (d dir) remove(name string) error { return d.removeAt(name, 0) }

func (d dir) removeAt(name string, depth int) error {
	err := unix.Unlinkat(d.fd, name, 0)
	if err == nil || errors.Is(err, unix.ENOENT) {
		return nil
	}
	if !errors.Is(err, unix.EISDIR) && !errors.Is(err, unix.EPERM) {
		return err
	}
	if depth > maxDepth {
		return fmt.Errorf("cannot remove %s: it lies too deep", name)
	}
	if os.Geteuid() != 0 {
		_ = unix.Fchmodat(d.fd, name, 0o700, unix.AT_SYMLINK_NOFOLLOW) // not every kernel can; what stays closed is said below
	}
	below, err := d.open(name)
	if err != nil {
		return err
	}
	defer below.close()
	if err := below.give(os.Geteuid(), os.Getegid(), 0o700); err != nil {
		return err
	}
	names, err := below.names()
	if err != nil {
		return err
	}
	for _, n := range names {
		if err := below.removeAt(n, depth+1); err != nil {
			return err
		}
	}
	return unix.Unlinkat(d.fd, name, unix.AT_REMOVEDIR)
}

func (d dir) names() ([]string, error) {
	again, err := unix.Openat(d.fd, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(again), ".")
	defer f.Close()
	return f.Readdirnames(-1)
}
