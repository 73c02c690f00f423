package process

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"majordomo/deps/inside"
	"majordomo/supervisor"
)

// Where nothing can be mounted over a connector's directory, what it runs is copied
// into it. The connector can replace such a copy, so all of them are compared with
// the original before each start; one that differs is replaced.
//
// What was copied earlier (copied.go) and is no longer wanted, because the package
// changed or because things are mounted again, is removed.

// deliver puts everything into place by copying, or removes what was copied earlier.
func (l *Launcher) deliver(ctx context.Context, d dir, p supervisor.Plan, c inside.Connector) error {
	unlock, err := l.places.Lock(ctx, l.o.Paths.ConnectorDir(p.Member, p.Name))
	if err != nil {
		return err
	}
	defer unlock()
	wanted := toCopy(p, c)
	before := l.copied(p.Member, p.Name)
	if len(wanted) == 0 && len(before) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(wanted))
	// The list is written first: a crash must not leave what nobody knows of.
	if err := l.setCopied(p.Member, p.Name, append(slices.Clone(names), before...)); err != nil {
		return err
	}
	if err := d.dropUnwanted(before, wanted); err != nil {
		return err
	}
	for _, name := range names {
		if err := l.place(ctx, d, copied{name, wanted[name], slices.Contains(before, name)}, p); err != nil {
			return err
		}
	}
	return l.setCopied(p.Member, p.Name, names)
}

// toCopy maps each name in the connector's directory to its original; it is empty where things are mounted.
func toCopy(p supervisor.Plan, c inside.Connector) map[string]string {
	wanted := map[string]string{}
	if !c.Copied {
		return wanted
	}
	for _, name := range inside.Shown(p.Package.Release) {
		wanted[name] = filepath.Join(p.Package.Dir, filepath.FromSlash(name))
	}
	maps.Copy(wanted, c.Trees())
	return wanted
}

// dropUnwanted removes the copies that were made before and are not wanted any more.
func (d dir) dropUnwanted(before []string, wanted map[string]string) error {
	for _, name := range before {
		if _, stays := wanted[name]; !stays {
			if err := d.removePath(name); err != nil {
				return err
			}
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	return d.sweep(wanted)
}

// sweep removes copies that the connector has given other names, which it cannot do itself: as root they are told by their
// owner and by being closed to writing. Without root they are the connector's to remove, as it has the same uid.
func (d dir) sweep(wanted map[string]string) error {
	names, err := d.names()
	if err != nil || os.Geteuid() != 0 {
		return err
	}
	for _, name := range names {
		var st unix.Stat_t
		_, stays := wanted[name]
		if stays || unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) != nil || st.Uid != 0 || st.Mode&0o222 != 0 {
			continue
		}
		if err := d.remove(name); err != nil {
			return err
		}
	}
	return nil
}

// Leave removes what was copied into a connector's directory; what it keeps stays.
// Nothing of the connector may run.
func (l *Launcher) Leave(member, name string) error {
	unlock, err := l.places.Lock(context.Background(), l.o.Paths.ConnectorDir(member, name))
	if err != nil {
		return err
	}
	defer unlock()
	names := l.copied(member, name)
	if len(names) == 0 {
		return nil
	}
	d, err := openDir(l.o.Paths.ConnectorDir(member, name))
	if errors.Is(err, fs.ErrNotExist) {
		return l.setCopied(member, name, nil)
	}
	if err != nil {
		return err
	}
	defer d.close()
	for _, n := range names {
		if err := d.removePath(n); err != nil {
			return err
		}
	}
	return l.setCopied(member, name, nil)
}
