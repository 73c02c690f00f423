package sandbox

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"time"

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
	return docker.Open(docker.Options{Address: o.Engine, Image: o.Image, Owner: o.owner()})
}

// owner tells our containers from those of a daemon with another state directory.
func (o Options) owner() string {
	dir, err := filepath.Abs(o.StateDir)
	if err != nil {
		dir = o.StateDir // there is no working directory: then nobody else has one either
	}
	hash := sha256.Sum256([]byte(dir))
	return hex.EncodeToString(hash[:6])
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
	return h.trial()
}

// enginePause is how long an Engine that is of no use is left alone.
const enginePause = 5 * time.Second

// usable says why nothing can be started, or nil. An Engine may be started after us, or be given its image: one that was of no use is looked at
// again, by one caller while others wait, and not before the pause is over.
func (h *Host) usable(ctx context.Context) *StartError {
	if h.engine == nil || h.refused() == nil {
		return h.refused()
	}
	select {
	case h.looking <- struct{}{}:
		defer func() { <-h.looking }()
	case <-ctx.Done():
		return h.refused()
	}
	if h.dueAgain() {
		h.lookAgain()
	}
	return h.refused()
}

func (h *Host) dueAgain() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.refusal != nil && time.Since(h.probed) >= h.pause
}

// lookAgain probes once more. What an earlier daemon left with the Engine could not be removed before; nothing of ours runs there yet.
func (h *Host) lookAgain() {
	report, err := h.probeEngine()
	if err == nil {
		h.log.Info("the Docker Engine can be used now")
		ctx, cancel := context.WithTimeout(context.Background(), startTime)
		defer cancel()
		if err := h.removeContainers(ctx); err != nil {
			h.log.Warn("cannot remove what an earlier daemon left", zap.Error(err))
		}
	}
	h.keepProbe(report, err)
}

// engineError keeps what a person can do about it.
func engineError(err error) error {
	if p, ok := errors.AsType[*docker.Problem](err); ok {
		return &StartError{Reason: p.Reason, Fix: p.Fix}
	}
	return err
}

// sweepContainers removes what an earlier daemon left. An Engine that does not answer runs none of them, or ends them when they find that
// daemon gone; they are removed when it is found (lookAgain).
func (h *Host) sweepContainers(ctx context.Context) error {
	if h.engine == nil || h.refused() != nil {
		return nil
	}
	return h.removeContainers(ctx)
}

func (h *Host) removeContainers(ctx context.Context) error {
	n, err := h.engine.Sweep(ctx)
	if n > 0 {
		h.log.Warn("removed the containers an earlier daemon left", zap.Int("containers", n))
	}
	return err
}
