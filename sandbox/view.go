package sandbox

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"majordomo/sandbox/initproc"
)

// Home is the private home of every sandbox.
const Home = "/root"

// view plans the file tree of a Spec. It reads the host's layout; the init builds.
func (s Spec) view() initproc.View {
	limits := s.Limits.withDefaults()
	v := initproc.View{
		HostMounts: ownNamespace("mnt"),
		Tmpfs: []initproc.Tmpfs{
			{Path: "/", Size: 4 << 20, Mode: 0o755},
			{Path: "/tmp", Size: limits.Tmp, Mode: 0o1777},
			{Path: "/dev/shm", Size: limits.Tmp, Mode: 0o1777},
			{Path: Home, Size: limits.Tmp, Mode: 0o700, Owned: true},
		},
		Dirs:     []string{"/run", "/var", "/home"},
		Files:    s.etcFiles(),
		Hide:     procHidden,
		ReadOnly: []string{"/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys"},
	}
	v.Links = append(v.Links, deviceLinks...)
	v.Links = append(v.Links, initproc.Link{Path: "/var/tmp", To: "/tmp"})
	addSystem(&v)
	v.Binds = append(v.Binds, s.runtimeBinds()...)
	for _, m := range s.Mounts {
		v.Binds = append(v.Binds, initproc.Bind{Source: m.Source, Beneath: m.Beneath, Target: m.Target, Writable: m.Writable})
	}
	// By target, so that a parent is mounted before its children.
	slices.SortStableFunc(v.Binds, func(a, b initproc.Bind) int { return strings.Compare(a.Target, b.Target) })
	return v
}

// procHidden is what /proc tells of the machine and no program needs.
var procHidden = []string{
	"/proc/acpi", "/proc/asound", "/proc/kcore", "/proc/key-users", "/proc/keys", "/proc/kmsg", "/proc/latency_stats",
	"/proc/sched_debug", "/proc/scsi", "/proc/sysrq-trigger", "/proc/timer_list", "/proc/timer_stats",
}

var deviceLinks = []initproc.Link{
	{Path: "/dev/fd", To: "/proc/self/fd"},
	{Path: "/dev/stdin", To: "/proc/self/fd/0"},
	{Path: "/dev/stdout", To: "/proc/self/fd/1"},
	{Path: "/dev/stderr", To: "/proc/self/fd/2"},
}

// addSystem shows what programs of the host need to run: /usr, the links into it (or the directories, where they are not yet
// merged), the usual devices and the public parts of /etc.
func addSystem(v *initproc.View) {
	v.Binds = append(v.Binds, initproc.Bind{Source: "/usr", Target: "/usr"})
	for _, dir := range []string{"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"} {
		addLinkOrBind(v, dir)
	}
	for _, name := range []string{"null", "zero", "full", "random", "urandom", "tty"} {
		v.Binds = append(v.Binds, initproc.Bind{Source: "/dev/" + name, Target: "/dev/" + name, Device: true, Optional: name == "tty"})
	}
	for _, p := range etcShown {
		v.Binds = append(v.Binds, initproc.Bind{Source: p, Target: p, Optional: true})
	}
	addLinkOrBind(v, "/etc/localtime") // programs read the zone's name from the link
}

// addLinkOrBind repeats a link of the host into /usr, and shows anything else as it is.
func addLinkOrBind(v *initproc.View, p string) {
	to, err := os.Readlink(p)
	absolute := to
	if !path.IsAbs(to) {
		absolute = path.Join(path.Dir(p), to)
	}
	if err == nil && within(absolute, "/usr") {
		v.Links = append(v.Links, initproc.Link{Path: p, To: to})
		return
	}
	v.Binds = append(v.Binds, initproc.Bind{Source: p, Target: p, Optional: true})
}

// runtimeBinds shows the parts of interpreter prefixes that an interpreter reads, at their own paths: libraries are found by
// absolute paths that were compiled in.
func (s Spec) runtimeBinds() (binds []initproc.Bind) {
	for _, prefix := range s.Runtimes {
		if within(prefix, "/usr") {
			continue
		}
		for _, part := range []string{"bin", "lib", "lib64", "libexec", "include", "share"} {
			p := filepath.Join(prefix, part)
			binds = append(binds, initproc.Bind{Source: p, Target: p, Optional: part != "bin"})
		}
	}
	return binds
}
