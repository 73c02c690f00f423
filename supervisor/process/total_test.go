package process

import (
	"testing"

	"majordomo/sandbox"
	"majordomo/supervisor"
)

// What a member's connectors run is in the pool of the member, and of nobody else.
func TestMemberTotal(t *testing.T) {
	p := newPlace(t)
	if !p.host.Report().Has(sandbox.MemoryLimit) {
		t.Skip("this host has no memory limit")
	}
	if err := p.host.SetTotals(sandbox.Totals{Memory: 128 << 20}); err != nil {
		t.Fatal(err)
	}
	plan := p.plan("notes", map[string]string{"server.py": ""})
	eat := supervisor.Command{Interpreter: []string{"-c", "b = bytearray(300 << 20)"}}
	out, err := p.try(plan, eat)
	if err != nil || !out.Exit.OOM || !out.Exit.Pool {
		t.Errorf("%+v, %v", out.Exit, err)
	}
	ended := &supervisor.ExitError{Exit: out.Exit, Member: plan.Member}
	if got := ended.Error(); got != "its process was killed, because all connectors of ann together ran out of memory" {
		t.Errorf("said %q", got)
	}
	if err := p.host.SetTotals(sandbox.Totals{}); err != nil {
		t.Fatal(err)
	}
	if out, err := p.try(plan, eat); err != nil || out.Exit != (sandbox.Exit{}) {
		t.Errorf("without a total: %+v, %v", out.Exit, err)
	}
}
