package main

import (
	"time"

	"majordomo/cmd/majordomo/screen"
	"majordomo/supervisor/api"
)

// showDown says of a connector that is down why, and what to do.
func (a *app) showDown(i api.Instance) {
	if i.Cause == nil || i.State != "backoff" && i.State != "failed" {
		return
	}
	what := map[string]string{"failed": "has failed", "backoff": "is down"}[i.State]
	a.say("\n%s of %s %s (%s): %s", i.Connector, i.Member, what, i.Cause.Kind, screen.OneLine(i.Cause.Text))
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
