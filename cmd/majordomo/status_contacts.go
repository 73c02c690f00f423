package main

import (
	"cmp"
	"strconv"
	"strings"

	"majordomo/cmd/majordomo/screen"
	"majordomo/sandbox"
	"majordomo/supervisor/api"
)

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
