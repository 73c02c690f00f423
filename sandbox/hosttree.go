package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"majordomo/sandbox/initproc"
)

// Where the kernel gives no mount namespace, a sandbox runs in the host's own file tree, and Landlock is its file view: the paths of the
// Spec become those of the host, and everything that is not named does not open. It is less than a view of its own, and Report says so:
// docs/security.md, Without namespaces.

// hostTree is a Spec brought into the host's tree.
type hostTree struct {
	spec    Spec
	rules   []initproc.Bind
	scratch string // a directory for its home and its temporary files, to be removed
}

// planHostTree makes the directories a Spec needs and says what may be opened. What it made is left to undo, also when it fails.
func (h *Host) planHostTree(s Spec) (*hostTree, error) {
	t := &hostTree{spec: s}
	var err error
	if t.scratch, err = h.makeScratch(s); err != nil {
		return t, err
	}
	t.rules = append(hostTreeSystem(), s.runtimeBinds()...)
	for _, name := range []string{"home", "tmp"} {
		t.rules = append(t.rules, initproc.Bind{Source: filepath.Join(t.scratch, name), Writable: true})
	}
	for _, m := range s.Mounts {
		if !m.Writable && s.liesInWritable(m) {
			return t, fmt.Errorf("%s cannot be shown over what is writable without a mount: copy it there", m.Target)
		}
		t.rules = append(t.rules, initproc.Bind{Source: m.Source, Beneath: m.Beneath, Writable: m.Writable})
	}
	if err := h.grantTraverse(t); err != nil {
		return t, err
	}
	t.translate()
	return t, nil
}

// liesInWritable reports whether a mount covers part of a writable one.
func (s Spec) liesInWritable(m Mount) bool {
	return slices.ContainsFunc(s.Mounts, func(o Mount) bool { return o.Writable && o.Target != m.Target && within(m.Target, o.Target) })
}

// makeScratch makes the private home and the private /tmp.
func (h *Host) makeScratch(s Spec) (string, error) {
	base := h.scratch()
	if err := os.MkdirAll(base, 0o711); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(base, s.Name+"-")
	if err != nil {
		return "", err
	}
	errs := []error{os.Chmod(dir, 0o711)}
	for _, name := range []string{"home", "tmp"} {
		p := filepath.Join(dir, name)
		errs = append(errs, os.Mkdir(p, 0o700))
		if os.Geteuid() == 0 {
			errs = append(errs, os.Chown(p, s.UID, s.GID))
		}
	}
	return dir, errors.Join(errs...)
}

func (h *Host) scratch() string { return filepath.Join(h.options.StateDir, "scratch") }

// undo takes back what planHostTree made, once nothing runs any more.
func (t *hostTree) undo() {
	if t != nil && t.scratch != "" {
		_ = os.RemoveAll(t.scratch) // what cannot be removed now goes at the next start of the daemon
	}
}

// hostTreeSystem is what addSystem shows, and the files of /etc that are generated where there is a view of its own.
func hostTreeSystem() []initproc.Bind {
	var v initproc.View
	addSystem(&v)
	for _, l := range v.Links {
		v.Binds = append(v.Binds, initproc.Bind{Source: l.Path, Optional: true})
	}
	for _, p := range []string{"/etc/passwd", "/etc/group", "/etc/hosts", "/etc/hostname", "/etc/nsswitch.conf", "/etc/resolv.conf", "/etc/localtime",
		"/etc/host.conf", "/etc/gai.conf", "/proc",
		// Not there in a view of their own, and looked for: what does not open is taken worse than what is not there.
		"/etc/debian_version", "/etc/os-release", "/etc/lsb-release", "/etc/redhat-release", "/etc/alpine-release", "/etc/shells"} {
		v.Binds = append(v.Binds, initproc.Bind{Source: p, Optional: true})
	}
	return v.Binds
}

// translate turns every path inside that the Spec names into the host's.
func (t *hostTree) translate() {
	s := t.spec
	s.Mounts = append([]Mount{{Source: filepath.Join(t.scratch, "home"), Target: Home}}, s.Mounts...)
	t.spec.Dir, t.spec.Argv, t.spec.Env = s.hostPath(s.Dir), s.hostArgs(), s.hostEnv()
	if !slices.ContainsFunc(s.Env, func(v string) bool { return strings.HasPrefix(v, "TMPDIR=") }) {
		t.spec.Env = append(t.spec.Env, "TMPDIR="+filepath.Join(t.scratch, "tmp"))
	}
}
