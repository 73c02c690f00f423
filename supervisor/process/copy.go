package process

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"golang.org/x/sys/unix"

	"majordomo/deps/delivery"
	"majordomo/supervisor"
)

// copied is one file or tree that lies in a connector's directory as a copy.
type copied struct {
	name     string // below the directory
	original string
	ours     bool // was put there earlier: whatever it is now, it is not the connector's data
}

// place makes sure that what is called name is a faithful copy.
func (l *Launcher) place(ctx context.Context, d dir, c copied, p supervisor.Plan) error {
	parent, base := path.Split(c.name)
	at, err := d.parents(parent, p.UID, p.GID)
	if err != nil {
		return err
	}
	defer at.close()
	if at.same(base, c.original) == nil {
		return nil
	}
	if err := os.MkdirAll(l.o.Paths.Copies(), 0o700); err != nil {
		return err
	}
	staging, err := os.MkdirTemp(l.o.Paths.Copies(), "new-")
	if err != nil {
		return err
	}
	from, err := openDir(staging)
	if err != nil {
		return err
	}
	defer from.close()
	defer os.Remove(staging)
	err = delivery.Duplicate(ctx, l.o.Delivery.Choose(ctx).Way, c.original, filepath.Join(staging, base))
	if err == nil {
		err = at.makeWay(base, c.ours)
	}
	if err == nil {
		err = from.moveTo(at, base)
	}
	if err != nil {
		err = errors.Join(err, from.remove(base))
	}
	return err
}

// makeWay frees a name. What may be the connector's data is moved aside and never removed; what is empty is no data, but was a
// mount point.
func (d dir) makeWay(name string, ours bool) error {
	var st unix.Stat_t
	if err := unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil || ours {
		return d.remove(name)
	}
	empty := st.Size == 0
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		empty = unix.Unlinkat(d.fd, name, unix.AT_REMOVEDIR) == nil
	}
	if empty {
		return d.remove(name)
	}
	return d.moveAside(name)
}

// moveTo renames what is called name to the same name elsewhere. A directory can only be moved by who may write to it.
func (d dir) moveTo(to dir, name string) error {
	var st unix.Stat_t
	if err := unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return err
	}
	isDir := st.Mode&unix.S_IFMT == unix.S_IFDIR
	if isDir && os.Geteuid() != 0 {
		if err := unix.Fchmodat(d.fd, name, 0o700, 0); err != nil {
			return err
		}
	}
	if err := unix.Renameat(d.fd, name, to.fd, name); err != nil || !isDir {
		return err
	}
	moved, err := to.open(name)
	if err != nil {
		return err
	}
	defer moved.close()
	return unix.Fchmod(moved.fd, uint32(delivery.Mode(fs.ModeDir)))
}

// parents opens the directory of a name, and makes what is missing of it, the connector's own.
func (d dir) parents(names string, uid, gid int) (dir, error) {
	return d.walk(names, func(at dir, name string) (dir, error) {
		next, made, err := at.make(name)
		if err == nil && made {
			if err = next.give(uid, gid, 0o755); err != nil {
				next.close()
			}
		}
		return next, err
	})
}
