package main

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"majordomo/cmd/majordomo/screen"
	"majordomo/supervisor/api"
)

func (a *app) statusVerb() *cobra.Command {
	verbose := false
	verb := &cobra.Command{
		Use:   "status",
		Short: "Show the daemon and what it runs",
		Long: `Shows where the daemon listens, which connectors need somebody, and every instance: its state, its process, its restarts
and what to do about it; below that, why those that are down are so. With -v also what each may reach, and what it had to do with which host since it started. A member who is
no admin sees only their own.

--json: {"version","listen","socket","config":{"file","problem","waiting":[…]}|null,"instances":[{"member","connector","state","pid","generation","restarts","tools",
"uptime_ms","activation_state","reason","last_error","cause":{"kind","text","next","said":[…],"at"}|null,"retry_in_ms","stopped",
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

func (a *app) showStatus(s api.Status) {
	a.say("majordomo %s on %s, socket %s", s.Version, s.Listen, s.Socket)
	if s.Config != nil {
		a.showConfig(*s.Config)
	}
	if len(s.Instances) == 0 {
		a.say("nothing runs yet: majordomo member add NAME, majordomo install ID, majordomo activate ID --member NAME")
		return
	}
	a.showTroubled(s.Instances)
	a.showInstances(s.Instances)
	for _, i := range s.Instances {
		a.showDown(i)
	}
}

func (a *app) showConfig(c api.ConfigState) {
	if c.Problem != "" {
		a.say("THE CHANGED CONFIGURATION IS NOT IN FORCE: %s", screen.OneLine(c.Problem))
	}
	if len(c.Waiting) > 0 {
		a.say("in force when the daemon is started anew: %s", strings.Join(c.Waiting, ", "))
	}
}

// showTroubled names, before everything else, those for which somebody has to do something.
func (a *app) showTroubled(all []api.Instance) {
	var names []string
	for _, i := range all {
		if state := stateWord(i); state == "failed" || state == "backoff" || strings.HasPrefix(state, "pending_") {
			names = append(names, i.Connector+" of "+i.Member)
		}
	}
	switch len(names) {
	case 0:
	case 1:
		a.say("1 of %s needs somebody: %s", screen.Count(len(all), "connector"), names[0])
	default:
		a.say("%d of %d connectors need somebody: %s", len(names), len(all), strings.Join(names, ", "))
	}
}

func (a *app) showInstances(all []api.Instance) {
	var rows [][]string
	var missing []string
	sleeping, saved := 0, int64(0)
	for _, i := range all {
		if i.State == "idle" && i.LastStop != nil {
			sleeping, saved = sleeping+1, saved+i.Saved
		}
		pid, uptime := "", ""
		if i.PID != 0 {
			pid, uptime = strconv.Itoa(i.PID), (time.Duration(i.UptimeMS) * time.Millisecond).Truncate(time.Second).String()
		}
		rows = append(rows, []string{
			i.Member, i.Connector, stateWord(i), uptime, pid, strconv.Itoa(i.Restarts), strconv.Itoa(i.Tools), nextWord(i),
		})
		missing = append(missing, i.Sandbox.Missing...)
	}
	a.table("MEMBER CONNECTOR STATE UPTIME PID RESTARTS TOOLS NEXT", rows)
	if sleeping > 0 {
		a.say("%d of them sleep or are stopped, which saves %d MiB of memory", sleeping, saved>>20)
	}
	if slices.Sort(missing); len(missing) > 0 {
		a.say("not enforced on this host: %s; majordomo doctor says why", strings.Join(slices.Compact(missing), ", "))
	}
}

// stateWord tells what a person stopped from what only sleeps, and what runs from what waits for a person.
func stateWord(i api.Instance) string {
	switch {
	case i.State == "idle" && i.Stopped:
		return "stopped"
	case i.Development:
		return i.State + " (development)"
	case i.State != "failed" && i.State != "backoff" && strings.HasPrefix(i.ActivationState, "pending_"):
		return i.ActivationState
	case i.State == "idle" && i.LastStop != nil:
		return "asleep"
	}
	return i.State
}

// nextWord is what a person can do, or what will happen.
func nextWord(i api.Instance) string {
	whose := i.Connector + " --member " + i.Member
	switch stateWord(i) {
	case "failed", "backoff":
		return "see below"
	case "stopped":
		return "majordomo start " + whose
	case "asleep":
		return "wakes for a call"
	case "pending_login":
		return "majordomo login " + whose
	case "pending_setup":
		return "majordomo activate " + whose + ": " + i.Reason
	}
	return ""
}
