// Package delivery decides how what a connector runs, its shipped files and its
// dependencies, gets to where it runs:
//
//	bind     mounted over its directory, read-only; nothing is copied
//	reflink  copied into its directory, where the copies share their blocks with the original
//	copy     copied
//
// The first that works here is taken. What is copied is compared before each start
// (supervisor/process), because the connector can replace it. It must never make a
// hard link: who writes to one name of a file writes to all. It starts no goroutines.
package delivery

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"majordomo/configs"
	"majordomo/sandbox"
)

// Way is how things are delivered.
type Way string

// The ways, best first.
const (
	Bind    Way = "bind"
	Reflink Way = "reflink"
	Copy    Way = "copy"
)

// Choice is the way that is taken on this host, and why no better one is.
type Choice struct {
	Way    Way
	Reason string // for people
}

// Host is what is asked of the sandbox; *sandbox.Host has it.
type Host interface {
	Ready() error // why nothing can be started yet
	Report() sandbox.Report
	Start(ctx context.Context, s sandbox.Spec) (*sandbox.Process, error)
}

// Options of a Deliverer.
type Options struct {
	Paths configs.Paths
	Host  Host
	Force Way // for tests: this way, whatever works; "" = the best that does
}

// Deliverer is safe for concurrent use.
type Deliverer struct {
	o Options

	mu     sync.Mutex // protects the field below; held while the host is probed
	choice Choice
}

// New makes a Deliverer; it touches nothing.
func New(o Options) *Deliverer { return &Deliverer{o: o} }

// Choose says which way is taken. It finds that out once, by trying, which takes some
// milliseconds, and clears away what an earlier daemon left half copied. An answer
// that ctx cut short is not kept, nor is one from before anything can be started.
func (d *Deliverer) Choose(ctx context.Context) Choice {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.choice.Way != "" {
		return d.choice
	}
	_ = os.RemoveAll(d.o.Paths.Copies()) // what is left takes room and nothing else
	notYet := d.o.Host.Ready()
	c := d.best(ctx)
	if ctx.Err() == nil && notYet == nil {
		d.choice = c
	}
	return c
}

func (d *Deliverer) best(ctx context.Context) Choice {
	if d.o.Force != "" {
		return Choice{d.o.Force, "it was asked for"}
	}
	noBind := d.tryBind(ctx)
	if noBind == nil {
		return Choice{Bind, "the sandbox shows them read-only"}
	}
	noReflink := d.tryReflink()
	if noReflink == nil {
		return Choice{Reflink, noBind.Error()}
	}
	return Choice{Copy, fmt.Sprintf("%v; %v", noBind, noReflink)}
}

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
