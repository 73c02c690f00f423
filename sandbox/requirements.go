package sandbox

import (
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// always are the layers without which nothing is started by the native driver (docs/security.md).
var always = []Layer{Env, FDs, Session, Caps, NoNewPrivs, Seccomp}

// requireAlways refuses a report that lacks what nothing is started without.
func (h *Host) requireAlways(r Report) error {
	layers := slices.Clone(always)
	if os.Geteuid() == 0 {
		layers = append(layers, UID)
	}
	if !h.unrestricted() {
		layers = append(layers, Egress)
	}
	return requireLayers(r, layers)
}

// checkAlternatives is why the namespaces that this machine gives are not enough, or nil. Of the file view and of the end of the tree there are
// several kinds, and one of each is enough.
func (h *Host) checkAlternatives() error {
	lacks := func(flag uintptr) bool { return h.confines() && h.clone&flag == 0 }
	root, abi := os.Geteuid() == 0, landlockABI()
	switch {
	case lacks(unix.CLONE_NEWNS) && abi == 0:
		return h.refuse(MountView, "there is no Landlock either to keep its files from a connector")
	case lacks(unix.CLONE_NEWPID) && !root && !h.groups.Report().Kill:
		return h.refuse(PIDs, "neither a control group nor a uid of its own would end all that a connector starts")
	case lacks(unix.CLONE_NEWPID) && !root && abi < 6:
		return h.refuse(PIDs, "a connector would have the daemon's uid, and could send it signals")
	}
	return nil
}

func (h *Host) refuse(l Layer, why string) error {
	return &StartError{Layer: l, Reason: h.lacking(l) + "; " + why, Fix: fix(l)}
}

// landlockABI is what the kernel knows of Landlock, 0 for nothing.
func landlockABI() int {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(abi)
}

// requireLayers refuses a report that lacks a layer.
func requireLayers(r Report, layers []Layer) error {
	for _, m := range r.Missing {
		if slices.Contains(layers, m.Layer) {
			return &StartError{Layer: m.Layer, Reason: "it is required, but " + m.Reason, Fix: m.Fix}
		}
	}
	return nil
}
