package process

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

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
