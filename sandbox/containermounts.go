package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"majordomo/sandbox/docker"
)

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
