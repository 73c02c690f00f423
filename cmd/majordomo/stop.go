package main

import (
	"github.com/spf13/cobra"

	"majordomo/supervisor/api"
)

func (a *app) stopVerb() *cobra.Command {
	return a.runVerb("stop", "stopped", (*api.Client).Stop, "Stop a member's connector until it is started again",
		`Stops the process and waits until nothing of it is left. It stays stopped, whoever calls it and however often the daemon
starts, until "start" or "restart". Its tools are not listed meanwhile. Configuration and secrets stay; "deactivate" is
what forgets them.`)
}
