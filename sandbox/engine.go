package sandbox

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"

	"go.uber.org/zap"
	"golang.org/x/sys/unix"

	"majordomo/sandbox/docker"
)

// containerNamespaces are what every container has of its own.
const containerNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWNET

func (o Options) openEngine() (*docker.Engine, error) {
	if o.Driver != DriverDocker {
		return nil, nil
	}
	dir, err := filepath.Abs(o.StateDir)
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256([]byte(dir))
	return docker.Open(docker.Options{Address: o.Engine, Image: o.Image, Owner: hex.EncodeToString(hash[:6])})
}

// probeEngine finds out whether containers can be started, by starting one.
func (h *Host) probeEngine() (Report, error) {
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	if os.Geteuid() != 0 {
		return Report{}, &StartError{Layer: UID, Reason: "the driver docker needs the daemon to be root, to give connectors uids of their own and to see in /proc what the Engine did",
			Fix: "run majordomo as a system service: whoever may speak to the Engine is as good as root anyway"}
	}
	if err := h.engine.Ready(ctx); err != nil {
		return Report{}, engineError(err)
	}
	h.clone = containerNamespaces
	return h.trial()
}

// engineError keeps what a person can do about it.
func engineError(err error) error {
	if p, ok := errors.AsType[*docker.Problem](err); ok {
		return &StartError{Reason: p.Reason, Fix: p.Fix}
	}
	return err
}

// sweepContainers removes what an earlier daemon left. An Engine that does not answer runs none of them, or ends them when they find that
// daemon gone.
func (h *Host) sweepContainers(ctx context.Context) error {
	if h.engine == nil {
		return nil
	}
	n, err := h.engine.Sweep(ctx)
	if n > 0 {
		h.log.Warn("removed the containers an earlier daemon left", zap.Int("containers", n))
	}
	if h.refusal != nil {
		return nil // that says it
	}
	return err
}
