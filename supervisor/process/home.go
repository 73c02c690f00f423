package process

import (
	"context"
	"errors"
	"os"
	"path"
	"slices"

	"golang.org/x/sys/unix"

	"majordomo/configs/manifest"
	"majordomo/deps/inside"
	"majordomo/supervisor"
)

// makeHome makes what a plan needs of the member's home:
//
//	homes/<member>/.skald/mcp/<name>   0700, the activation's own; its contents are hostile
//	homes/<member>/files               2770, the group of the member's activations; only where declared
//
// Everything above these two belongs to the daemon and is closed to others.
func (l *Launcher) makeHome(ctx context.Context, p supervisor.Plan, c inside.Connector) error {
	if err := os.MkdirAll(l.o.Paths.Homes(), 0o700); err != nil {
		return err
	}
	homes, err := openDir(l.o.Paths.Homes())
	if err != nil {
		return err
	}
	defer homes.close()
	dir, err := homes.makeAll(p.Member, ".skald", "mcp", p.Name)
	if err != nil {
		return err
	}
	defer dir.close()
	if err := dir.give(p.UID, p.GID, 0o700); err != nil {
		return err
	}
	if err := dir.clear(c); err != nil {
		return err
	}
	if err := l.deliver(ctx, dir, p, c); err != nil {
		return err
	}
	l.mark(dir, p)
	if !slices.Contains(p.Package.Release.Mounts, manifest.MountFiles) {
		return nil
	}
	files, err := homes.makeAll(p.Member, "files")
	if err != nil {
		return err
	}
	defer files.close()
	return files.share(p.GID)
}

// clear moves aside whatever keeps a shipped file or a tree from being mounted:
// a release may bring a file under a name that the connector used for something
// else. It moves and never removes, because it may be the connector's data.
func (d dir) clear(c inside.Connector) error {
	for _, name := range inside.Shown(c.Release) {
		if err := d.clearOne(name, unix.S_IFREG); err != nil {
			return err
		}
	}
	for name := range c.Trees() {
		if err := d.clearOne(name, unix.S_IFDIR); err != nil {
			return err
		}
	}
	return nil
}

// clearOne walks to a mount point, as far as it exists, through directories only.
func (d dir) clearOne(name string, kind uint32) error {
	parent, base := path.Split(name)
	at, err := d.walk(parent, func(at dir, name string) (dir, error) {
		if err := at.aside(name, unix.S_IFDIR); err != nil {
			return dir{-1}, err
		}
		return at.open(name)
	})
	if err == nil {
		err = at.aside(base, kind)
		at.close()
	}
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	return err
}

// aside renames what is called name here unless it is of the kind wanted.
func (d dir) aside(name string, kind uint32) error {
	var st unix.Stat_t
	err := unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW)
	if err != nil || st.Mode&unix.S_IFMT == kind {
		return err
	}
	return d.moveAside(name)
}
