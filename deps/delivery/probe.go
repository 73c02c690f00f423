package delivery

import (
	"context"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"majordomo/sandbox"
)

// probeText is what a probe must find.
const probeText = "as it was"

// tryBind has a sandbox read a file of the state directory, and fail to write it.
func (d *Deliverer) tryBind(ctx context.Context) error {
	for _, m := range d.o.Host.Report().Missing {
		if m.Layer == sandbox.MountView {
			return fmt.Errorf("connectors have no file view of their own here: %s", m.Reason)
		}
	}
	dir, err := d.probeDir(d.o.Paths.Deps())
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	const inside = "/root/.majordomo"
	s := sandbox.Spec{
		Name: "delivery", Env: []string{"PATH=/usr/bin:/bin"}, Dir: "/", Mounts: []sandbox.Mount{{Source: dir, Target: inside}},
		Argv: []string{"/bin/sh", "-c", "cd " + inside + ` && read -r line <file && [ "$line" = "` + probeText + `" ] || exit 3; echo x 2>/dev/null >file && exit 4; exit 0`},
	}
	if os.Geteuid() == 0 {
		s.UID, s.GID = probeUID, probeUID
	}
	p, err := d.o.Host.Start(ctx, s)
	if err != nil {
		return err
	}
	defer func() {
		p.Stdin.Close()
		p.Stdout.Close()
		p.Stderr.Close()
	}()
	select {
	case <-p.Done():
	case <-ctx.Done():
		p.Stop(ctx, sandbox.Grace{})
	}
	if exit := p.Exit(); exit != (sandbox.Exit{}) {
		return fmt.Errorf("a directory of %s that was shown to a sandbox read-only was not what it should be (%+v)", d.o.Paths.State, exit)
	}
	return nil
}

// probeUID runs nothing but probes.
const probeUID = 65534

// probeDir makes a directory with one file that anybody may read.
func (d *Deliverer) probeDir(parent string) (string, error) {
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(parent, ".probe-")
	if err != nil {
		return "", err
	}
	err = os.WriteFile(dir+"/file", []byte(probeText+"\n"), 0o666)
	if err == nil {
		err = os.Chmod(dir+"/file", 0o666) // only the mount stands in the way of writing
	}
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	return dir, err
}

// tryReflink clones a file from where trees are to where members' homes are.
func (d *Deliverer) tryReflink() error {
	from, err := d.probeDir(d.o.Paths.Deps())
	if err != nil {
		return err
	}
	defer os.RemoveAll(from)
	to, err := d.probeDir(d.o.Paths.Copies())
	if err != nil {
		return err
	}
	defer os.RemoveAll(to)
	in, err := os.Open(from + "/file")
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to+"/file", os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer out.Close()
	if err := unix.IoctlFileClone(int(out.Fd()), int(in.Fd())); err != nil {
		return fmt.Errorf("the file system of %s cannot share blocks among files: %s", strings.TrimSuffix(d.o.Paths.State, "/"), err)
	}
	return nil
}
