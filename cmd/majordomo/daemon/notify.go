package daemon

import (
	systemd "github.com/coreos/go-systemd/v22/daemon"
	"go.uber.org/zap"
)

// tell lets the service manager know how far the daemon is, as sd_notify(3) says. Where none listens it does nothing.
func (d *Daemon) tell(state string) {
	if _, err := systemd.SdNotify(false, state); err != nil {
		d.log.Warn("cannot tell the service manager", zap.String("state", state), zap.Error(err))
	}
}
