package process

import (
	"testing"

	"majordomo/sandbox/egress"
)

// The household's proxy is told to a connector that an admin let reach it, without its password; to no other, and nothing else
// of the daemon's environment to either.
func TestProxyIsForThoseWhoMayReachIt(t *testing.T) {
	p := newPlace(t)
	p.o.Environ = []string{"HTTPS_PROXY=http://u:canary@127.0.0.1:3128", "CANARY=canary"}
	plan := p.plan("weather", nil)
	const show = "env | grep -i -e proxy -e canary | sort"
	if got := p.sh(plan, show); got != "" {
		t.Errorf("ungranted, it sees %q", got)
	}
	plan.Egress = egress.Policy{Mode: egress.Open, AllowPrivate: []string{"127.0.0.1:3128"}}
	want := "HTTPS_PROXY=http://127.0.0.1:3128\nNO_PROXY=localhost,127.0.0.1,::1\nno_proxy=localhost,127.0.0.1,::1"
	if got := p.sh(plan, show); got != want {
		t.Errorf("it sees %q, want %q", got, want)
	}
}
