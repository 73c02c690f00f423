package daemon

import (
	"slices"

	"go.uber.org/zap"

	"majordomo/configs"
	"majordomo/sandbox"
	"majordomo/supervisor"
)

// apply has every room keep to the configuration that is in force now.
func (r *reloader) apply() {
	c := r.config
	r.core.SetLimits(bounds(c.Limits))
	r.launcher.SetLimits(limits(c.Limits))
	r.launcher.SetMessages(messages(c.Limits))
	r.host.Reserve(int64(c.Limits.DiskReserve))
	if err := r.host.SetTotals(totals(c.Limits)); err != nil {
		r.log.Warn("not in force before what is in it is started anew", zap.Error(err))
	}
	if err := r.host.SetPolicy(policy(c.Sandbox)); err != nil {
		r.log.Error("the sandbox keeps to the policy before", zap.Error(err)) // the configuration was checked
	}
}

// concerns reports whether an instance has to start anew for what was changed.
func concerns(a configs.Apply, before configs.Config, i supervisor.Instance) bool {
	return slices.ContainsFunc(a.Restart, func(key string) bool {
		switch key {
		case "limits.message_of":
			return before.Limits.MessageOf[i.Connector] != a.Config.Limits.MessageOf[i.Connector]
		case "sandbox.required":
			return lacks(i, layers(a.Config.Sandbox.Required)...)
		case "sandbox.network":
			return lacks(i, sandbox.Egress)
		}
		return true
	})
}

// lacks reports whether an instance does not run with all of these layers.
func lacks(i supervisor.Instance, layers ...sandbox.Layer) bool {
	return i.PID == 0 || slices.ContainsFunc(layers, func(l sandbox.Layer) bool { return !i.Sandbox.Has(l) })
}
