package sandbox

import (
	"fmt"
	"os"
	"strings"
)

// fix says what a person can do to get a layer that the host does not give.
func fix(l Layer) string { return fixOn(thisHost(), l) }

// fixFor says it of a driver.
func fixFor(driver string, l Layer) string {
	if driver != DriverDocker {
		return fix(l)
	}
	switch l {
	case UID:
		return "run the Docker Engine as root, and without userns-remap"
	case MemoryLimit, PIDLimit, CPULimit:
		return "docker info says which limits the Engine cannot hold here, and why"
	case Landlock, Seccomp:
		return fix(l) // the kernel's, and ours
	}
	return ""
}

// networkFix is for a connector that needs a network where nothing can hold what it sends.
func networkFix() string {
	return namespaceFix(thisHost()) + `; or set sandbox.network = "unrestricted" in the configuration, which gives connectors the host's network, ` +
		"unguarded; or activate it with --egress none"
}

// hostFacts are what fixes depend on.
type hostFacts struct {
	root bool
	read func(path string) (text string, there bool)
}

func thisHost() hostFacts {
	return hostFacts{os.Geteuid() == 0, func(path string) (string, bool) {
		data, err := os.ReadFile(path)
		return strings.TrimSpace(string(data)), err == nil
	}}
}

func fixOn(h hostFacts, l Layer) string {
	switch l {
	case MountView, PIDs, Net, IPC, UTS, Egress:
		return namespaceFix(h)
	case UID:
		return "run majordomo as a system service"
	case Landlock:
		return "a kernel from 5.13 on, with landlock in the lsm= list of its command line"
	case Seccomp:
		return "a kernel with CONFIG_SECCOMP_FILTER"
	}
	return ""
}

// namespaceFix looks for the switch that is off on this host, the outermost first.
func namespaceFix(h hostFacts) string {
	switch kind := h.container(); {
	case h.older(5, 12):
		return "a kernel from 5.12 on"
	case kind == "lxc":
		return "let this container nest: on its host, lxc config set NAME security.nesting true (Proxmox: features: nesting=1), and restart it"
	case kind != "" && h.root:
		return "start the container with --cap-add SYS_ADMIN --cap-add NET_ADMIN --security-opt seccomp=unconfined " +
			"--security-opt apparmor=unconfined --security-opt systempaths=unconfined"
	case kind != "":
		return "start the container as its root, with --cap-add SYS_ADMIN --cap-add NET_ADMIN --security-opt seccomp=unconfined " +
			"--security-opt apparmor=unconfined --security-opt systempaths=unconfined; or, as a plain user, with these three --security-opt alone"
	case h.root:
		return "give the daemon CAP_SYS_ADMIN and CAP_NET_ADMIN, and neither RestrictNamespaces= nor RestrictSUIDSGID= in its unit"
	case h.is("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"):
		return "run majordomo as a system service, or sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"
	case h.is("/proc/sys/kernel/unprivileged_userns_clone", "0"):
		return "run majordomo as a system service, or sysctl -w kernel.unprivileged_userns_clone=1"
	case h.is("/proc/sys/user/max_user_namespaces", "0"):
		return "run majordomo as a system service, or sysctl -w user.max_user_namespaces=10000"
	}
	return "run majordomo as a system service"
}

// container is what kind of container this is, or "".
func (h hostFacts) container() string {
	if kind, there := h.read("/run/systemd/container"); there && strings.HasPrefix(kind, "lxc") {
		return "lxc"
	} else if there {
		return "other"
	}
	for _, mark := range []string{"/.dockerenv", "/run/.containerenv"} {
		if _, there := h.read(mark); there {
			return "docker"
		}
	}
	return ""
}

func (h hostFacts) is(path, value string) bool {
	text, _ := h.read(path) // where the switch does not exist it is not off
	return text == value
}

func (h hostFacts) older(major, minor int) bool {
	release, _ := h.read("/proc/sys/kernel/osrelease")
	var a, b int
	if n, _ := fmt.Sscanf(release, "%d.%d", &a, &b); n < 2 {
		return false
	}
	return a < major || a == major && b < minor
}
