package main

import (
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"majordomo/supervisor/api"
)

func (a *app) statusVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show the daemon and what it runs",
		Long: `Shows where the daemon listens and every instance: its state, its process, its restarts and the sandbox layers in
force around it. A member who is no admin sees only their own.

--json: {"version","listen","socket","instances":[{"member","connector","state","pid","generation","restarts","tools",
"uptime_ms","last_error","sandbox":{"layers":[…],"missing":[…],"egress"}}]}.`,
		Example: "  majordomo status",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			status, err := a.client().Status(cmd.Context())
			if err != nil {
				return err
			}
			return a.print(status, func() { a.showStatus(status) })
		},
	}
}

func (a *app) showStatus(s api.Status) {
	a.say("majordomo %s on %s, socket %s", s.Version, s.Listen, s.Socket)
	var rows [][]string
	for _, i := range s.Instances {
		uptime := time.Duration(i.UptimeMS) * time.Millisecond
		rows = append(rows, []string{
			i.Member, i.Connector, i.State, strconv.Itoa(i.PID), strconv.Itoa(i.Restarts), strconv.Itoa(i.Tools),
			uptime.Truncate(time.Second).String(), strings.Join(i.Sandbox.Missing, ","), i.LastError,
		})
	}
	a.table("MEMBER CONNECTOR STATE PID RESTARTS TOOLS UPTIME NOT-ENFORCED LAST-ERROR", rows)
}
