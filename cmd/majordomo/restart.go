package main

import (
	"github.com/spf13/cobra"

	"majordomo/supervisor/api"
)

func (a *app) restartVerb() *cobra.Command {
	return a.runVerb("restart", "restarted", (*api.Client).Restart, "Stop a member's connector and start it again",
		`Stops the process, waits until nothing of it is left, and starts a new one; also when it had failed for good, or was
stopped.`)
}
