package process

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"go.uber.org/zap"
	"golang.org/x/sys/unix"

	"majordomo/configs/digest"
	"majordomo/deps/inside"
	"majordomo/supervisor"
)

// markName is the guide's lock file (guide §5). Other programs may look at it;
// this daemon never does.
const markName = ".skald-install.lock"

// marks remembers what was computed for which package.
type marks struct {
	mu   sync.Mutex // protects the field below
	seen map[digest.SHA256]string
}

// mark writes the guide's content hash and the key of the tree into the
// connector's directory. Nothing depends on it, so nothing fails for it.
func (l *Launcher) mark(d dir, p supervisor.Plan) {
	text, err := l.marks.of(p)
	if err == nil {
		err = d.replace(markName, []byte(strings.TrimSpace(text+"\n"+p.Tree.Key)+"\n"), p.UID, p.GID)
	}
	if err != nil {
		l.o.Log.Debug("cannot write "+markName, zap.String("connector", p.Connector), zap.Error(err))
	}
}

func (m *marks) of(p supervisor.Plan) (string, error) {
	m.mu.Lock()
	text, known := m.seen[p.Package.Digest]
	m.mu.Unlock()
	if known {
		return text, nil
	}
	text, err := contentHash(p)
	if err != nil {
		return "", err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.seen == nil {
		m.seen = map[digest.SHA256]string{}
	}
	m.seen[p.Package.Digest] = text
	return text, nil
}

// contentHash is the guide's: over path, zero, bytes, zero of each file that is
// not for the host alone, in the order of their paths.
func contentHash(p supervisor.Plan) (string, error) {
	paths := inside.Shown(p.Package.Release)
	slices.Sort(paths)
	h := sha256.New()
	for _, name := range paths {
		f, err := os.Open(filepath.Join(p.Package.Dir, filepath.FromSlash(name)))
		if err != nil {
			return "", err
		}
		io.WriteString(h, name+"\x00")
		_, err = io.Copy(h, f)
		h.Write([]byte{0})
		f.Close()
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// replace writes a file here that takes the place of whatever file has the name.
func (d dir) replace(name string, data []byte, uid, gid int) error {
	temp := name + ".new"
	if err := unix.Unlinkat(d.fd, temp, 0); err != nil && !errors.Is(err, unix.ENOENT) {
		return err
	}
	fd, err := unix.Openat(d.fd, temp, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(fd), temp)
	defer f.Close()
	if os.Geteuid() == 0 {
		if err := f.Chown(uid, gid); err != nil {
			return err
		}
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	return unix.Renameat(d.fd, temp, d.fd, name)
}
