package daemon

import (
	"testing"

	"majordomo/configs"
	"majordomo/sandbox"
	"majordomo/supervisor"
)

// Only what a change concerns is started anew.
func TestConcerns(t *testing.T) {
	before, err := configs.Load(configs.Source{State: "/s", Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	runs := supervisor.Instance{Connector: "notes", PID: 7, Sandbox: sandbox.Report{InForce: []sandbox.Layer{sandbox.Seccomp, sandbox.Egress}}}
	failed := supervisor.Instance{Connector: "notes"}
	for _, c := range []struct {
		why          string
		change       func(*configs.Config)
		runs, failed bool
	}{
		{"nothing", func(*configs.Config) {}, false, false},
		{"no process depends on it", func(c *configs.Config) { c.Limits.Idle++; c.Limits.MemberPIDs++ }, false, false},
		{"every process does", func(c *configs.Config) { c.Limits.Memory++ }, true, true},
		{"another one's messages", func(c *configs.Config) { c.Limits.MessageOf = map[string]configs.Bytes{"mail": 1 << 20} }, false, false},
		{"its messages", func(c *configs.Config) { c.Limits.MessageOf = map[string]configs.Bytes{"notes": 1 << 20} }, true, true},
		{"a layer that it has", func(c *configs.Config) { c.Sandbox.Required = []string{"seccomp"} }, false, true},
		{"a layer that it lacks", func(c *configs.Config) { c.Sandbox.Required = []string{"landlock"} }, true, true},
		{"its network is held", func(c *configs.Config) { c.Sandbox.Network = sandbox.Unrestricted }, false, true},
	} {
		next := before
		c.change(&next)
		a := before.Towards(next)
		if got := [2]bool{concerns(a, before, runs), concerns(a, before, failed)}; got != [2]bool{c.runs, c.failed} {
			t.Errorf("%s: of what runs and what failed %v are started anew", c.why, got)
		}
	}
}
