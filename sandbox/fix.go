package sandbox

import (
	"os"
	"strings"
)

// fix says what a person can do to get a layer that the host does not give.
func fix(l Layer) string {
	switch l {
	case MountView, PIDs, Net, IPC, UTS:
		return namespaceFix()
	case UID:
		return "run majordomo as a system service"
	case Landlock:
		return "a kernel from 5.13 on, with landlock in the lsm= list"
	}
	return ""
}

// namespaceFix looks for the switch that is off on this host.
func namespaceFix() string {
	root := os.Geteuid() == 0
	switch {
	case inContainer() && root:
		return "start the container with --cap-add SYS_ADMIN --cap-add NET_ADMIN --security-opt seccomp=unconfined " +
			"--security-opt apparmor=unconfined --security-opt systempaths=unconfined"
	case root:
		return "give the daemon CAP_SYS_ADMIN, and neither RestrictNamespaces= nor RestrictSUIDSGID= in its unit"
	case setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1":
		return "run majordomo as a system service, or sysctl kernel.apparmor_restrict_unprivileged_userns=0"
	case setting("/proc/sys/kernel/unprivileged_userns_clone") == "0":
		return "run majordomo as a system service, or sysctl kernel.unprivileged_userns_clone=1"
	case setting("/proc/sys/user/max_user_namespaces") == "0":
		return "run majordomo as a system service, or sysctl user.max_user_namespaces=10000"
	}
	return "run majordomo as a system service"
}

func inContainer() bool {
	for _, mark := range []string{"/.dockerenv", "/run/.containerenv", "/run/systemd/container"} {
		if _, err := os.Stat(mark); err == nil {
			return true
		}
	}
	return false
}

func setting(path string) string {
	data, _ := os.ReadFile(path) // where the switch does not exist it is not off
	return strings.TrimSpace(string(data))
}
