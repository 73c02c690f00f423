package main

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"majordomo/cmd/majordomo/screen"
	"majordomo/sandbox"
	"majordomo/supervisor/api"
)

func (a *app) statusVerb() *cobra.Command {
	verbose := false
	verb := &cobra.Command{
		Use:   "status",
		Short: "Show the daemon and what it runs",
		Long: `Shows where the daemon listens and every instance: its state, its process, its restarts and the sandbox layers in
force around it. With -v also what each may reach, and what it had to do with which host since it started. A member who is
no admin sees only their own.

--json: {"version","listen","socket","config":{"file","problem","waiting":[…]}|null,"instances":[{"member","connector","state","pid","generation","restarts","tools",
"uptime_ms","last_error","cause":{"kind","text","next","said":[…],"at"}|null,"retry_in_ms","stopped",
"last_stop":{"at","stage","why"}|null,"memory_bytes","cpu_ms","saved_bytes","sandbox":{"layers":[…],"missing":[…],"egress",
"why":[{"layer","reason","fix"}],"notes":{…}},
"egress":{"hosts":[{"host","connections","failed","refused"}]},"development"?}]}.`,
		Example: "  majordomo status\n  majordomo status -v",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			status, err := a.client().Status(cmd.Context())
			if err != nil {
				return err
			}
			return a.print(status, func() {
				a.showStatus(status)
				if verbose {
					a.showContacts(status)
				}
			})
		},
	}
	verb.Flags().BoolVarP(&verbose, "verbose", "v", false, "also say what each may reach, and which hosts it contacted")
	return verb
}

func (a *app) showContacts(s api.Status) {
	for _, i := range s.Instances {
		if i.PID == 0 {
			continue
		}
		a.say("")
		a.say("%s of %s may reach %s", i.Connector, i.Member, cmp.Or(screen.OneLine(i.Sandbox.Egress), "what it likes"))
		for _, m := range i.Sandbox.Why {
			a.say("  without %s: %s", m.Layer, screen.OneLine(strings.TrimSuffix(m.Reason+"; "+m.Fix, "; ")))
		}
		for _, l := range sandbox.Layers() {
			if note := i.Sandbox.Notes[l]; note != "" {
				a.say("  %s: %s", l, screen.OneLine(note))
			}
		}
		var rows [][]string
		for _, h := range i.Egress.Hosts {
			rows = append(rows, []string{screen.OneLine(h.Host), number(h.Connections), number(h.Failed), number(h.Refused)})
		}
		if len(rows) > 0 {
			a.table("HOST CONNECTIONS FAILED REFUSED", rows)
		}
	}
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

func (a *app) showStatus(s api.Status) {
	a.say("majordomo %s on %s, socket %s", s.Version, s.Listen, s.Socket)
	if c := s.Config; c != nil {
		if c.Problem != "" {
			a.say("THE CHANGED CONFIGURATION IS NOT IN FORCE: %s", screen.OneLine(c.Problem))
		}
		if len(c.Waiting) > 0 {
			a.say("in force when the daemon is started anew: %s", strings.Join(c.Waiting, ", "))
		}
	}
	var rows [][]string
	sleeping, saved := 0, int64(0)
	for _, i := range s.Instances {
		uptime := time.Duration(i.UptimeMS) * time.Millisecond
		if i.State == "idle" && i.LastStop != nil {
			sleeping, saved = sleeping+1, saved+i.Saved
		}
		rows = append(rows, []string{
			i.Member, i.Connector, stateWord(i), strconv.Itoa(i.PID), strconv.Itoa(i.Restarts), strconv.Itoa(i.Tools),
			uptime.Truncate(time.Second).String(), strings.Join(i.Sandbox.Missing, ","), i.LastError,
		})
	}
	a.table("MEMBER CONNECTOR STATE PID RESTARTS TOOLS UPTIME NOT-ENFORCED LAST-ERROR", rows)
	if sleeping > 0 {
		a.say("%d of them sleep or are stopped, which saves %d MiB of memory", sleeping, saved>>20)
	}
	for _, i := range s.Instances {
		a.showDown(i)
	}
}

// stateWord tells what a person stopped from what only sleeps.
func stateWord(i api.Instance) string {
	switch {
	case i.State == "idle" && i.Stopped:
		return "stopped"
	case i.State == "idle" && i.LastStop != nil:
		return "asleep"
	case i.Development:
		return i.State + " (development)"
	}
	return i.State
}

// showDown says of a connector that is down why, and what to do.
func (a *app) showDown(i api.Instance) {
	if i.Cause == nil || i.State != "backoff" && i.State != "failed" {
		return
	}
	a.say("\n%s of %s is in %s (%s): %s", i.Connector, i.Member, i.State, i.Cause.Kind, screen.OneLine(i.Cause.Text))
	for _, line := range i.Cause.Said {
		a.say("  %s", screen.OneLine(line))
	}
	a.say("next: %s", screen.OneLine(i.Cause.Next))
	switch wait := time.Duration(i.RetryInMS) * time.Millisecond; {
	case wait > 0:
		a.say("it is tried again in %v, and at once for a call", wait.Round(time.Second))
	case i.State == "backoff":
		a.say("it starts when another connector leaves it room")
	default:
		a.say("it is tried again for a call, or when somebody says: majordomo restart %s --member %s", i.Connector, i.Member)
	}
}
