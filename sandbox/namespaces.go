package sandbox

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// namespaces are what clone makes, by the name that /proc uses and the layer they are. That for control groups is none: it only
// keeps their names from the connector.
var namespaces = []struct {
	flag  uintptr
	link  string
	layer Layer
}{
	{unix.CLONE_NEWNS, "mnt", MountView},
	{unix.CLONE_NEWPID, "pid", PIDs},
	{unix.CLONE_NEWIPC, "ipc", IPC},
	{unix.CLONE_NEWUTS, "uts", UTS},
	{unix.CLONE_NEWNET, "net", Net},
	{unix.CLONE_NEWCGROUP, "cgroup", ""},
}

// allNamespaces is what every sandbox gets where the kernel gives it.
func allNamespaces() (clone uintptr) {
	for _, n := range namespaces {
		clone |= n.flag
	}
	if os.Geteuid() != 0 {
		clone |= unix.CLONE_NEWUSER
	}
	return clone
}

// checkNamespaces fails unless an init is in namespaces of its own. It has to be asked while the init has the daemon's uid still:
// the links of somebody else's process are shown only to CAP_SYS_PTRACE, which containers and services do without.
func checkNamespaces(pid int, clone uintptr) error {
	for _, n := range namespaces {
		if clone&n.flag == 0 {
			continue
		}
		if err := checkNamespace(pid, n.link); err != nil {
			return &StartError{Layer: n.layer, Reason: err.Error()}
		}
	}
	return nil
}

// checkNamespace fails unless a process is in another namespace than we are.
func checkNamespace(pid int, name string) error {
	theirs, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/%s", pid, name))
	if err != nil {
		return err
	}
	if ours := ownNamespace(name); ours == "" || ours == theirs {
		return fmt.Errorf("/proc shows it in our own %s namespace", name)
	}
	return nil
}

// ownNamespace is not for the starter's thread, which leaves the daemon's network at times. It may be the first thread, whose namespaces
// /proc/self shows: so the calling one is asked.
func ownNamespace(name string) string {
	link, _ := os.Readlink("/proc/thread-self/ns/" + name) // "" is taken for a match: nothing is believed then
	return link
}
