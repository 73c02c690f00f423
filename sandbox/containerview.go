package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"majordomo/sandbox/docker"
	"majordomo/sandbox/egress"
)

// containerSpec plans the container of a Spec. Its system and its interpreters are the image's: Runtimes, which are the host's, are not shown.
// The sources are those of the mounts, opened, for checkShown.
func (h *Host) containerSpec(s Spec, d desk) (out docker.Spec, sources []*os.File, err error) {
	init, err := d.program(h.init.path())
	if err != nil {
		return out, nil, err
	}
	l := s.Limits.withDefaults()
	out = docker.Spec{
		Name: s.Name, Init: init, Control: d.file("control"), Network: s.egress().Mode != egress.None, UID: s.UID, GID: s.GID,
		Home: Home, Tmp: l.Tmp, Memory: l.Memory, Pids: int64(l.Pids), CPU: l.CPU,
	}
	v := s.view()
	out.Hide, out.Locked = append(v.Hide, "/sys"), v.ReadOnly
	for _, m := range s.Mounts {
		source, err := m.open()
		if err != nil {
			return out, sources, &StartError{Layer: MountView, Reason: fmt.Sprintf("cannot show %s at %s: %v", m.hostSource(), m.Target, err)}
		}
		sources = append(sources, source)
		out.Mounts = append(out.Mounts, docker.Mount{Source: m.hostSource(), Target: m.Target, Writable: m.Writable})
	}
	for _, f := range v.Files {
		out.Mounts = append(out.Mounts, docker.Mount{Source: d.file(f.Path), Target: f.Path})
	}
	return out, sources, nil
}

// open opens the source of a mount without giving rights to it, and below Beneath without following anything out of it.
func (m Mount) open() (*os.File, error) {
	if m.Beneath == "" {
		return openPath(m.Source)
	}
	base, err := openPath(m.Beneath)
	if err != nil {
		return nil, err
	}
	defer base.Close()
	fd, err := unix.Openat2(int(base.Fd()), m.Source, &unix.OpenHow{
		Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
	})
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), m.Source), nil
}

func openPath(path string) (*os.File, error) {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), path), nil
}

// checkShown fails unless a container shows the very files that were opened, and has a root that cannot be written. The Engine was told
// paths, and a connector that can write to part of one could have put a link there meanwhile. Nothing of the connector runs yet.
func checkShown(pid int, mounts []docker.Mount, sources []*os.File) error {
	refuse := func(format string, args ...any) error {
		return &StartError{Layer: MountView, Reason: fmt.Sprintf(format, args...)}
	}
	seen, err := mountsOf(pid)
	if err != nil {
		return refuse("%v", err)
	}
	if !strings.HasPrefix(seen["/"]+",", "ro,") {
		return refuse("/proc shows a root that can be written")
	}
	for i, source := range sources {
		m := mounts[i]
		if flags, there := seen[m.Target]; !there || !m.Writable && !strings.HasPrefix(flags+",", "ro,") {
			return refuse("/proc shows %s mounted as %q", m.Target, flags)
		}
		if err := sameFile(source, filepath.Join("/proc", fmt.Sprint(pid), "root", m.Target)); err != nil {
			return refuse("%s is not what was to be shown at %s: %v", m.Source, m.Target, err)
		}
	}
	return nil
}

func sameFile(opened *os.File, path string) error {
	var want, got unix.Stat_t
	if err := unix.Fstat(int(opened.Fd()), &want); err != nil {
		return err
	}
	if err := unix.Stat(path, &got); err != nil {
		return err
	}
	if want.Dev != got.Dev || want.Ino != got.Ino {
		return fmt.Errorf("it was replaced while the container was made")
	}
	return nil
}

// mountsOf returns the options of what is mounted where in a process's view.
func mountsOf(pid int) (map[string]string, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/mountinfo", pid))
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 5 { // id parent device root mountpoint options …
			all[octal.Replace(f[4])] = f[5]
		}
	}
	return all, nil
}

// octal undoes how the kernel writes white space in a path.
var octal = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
