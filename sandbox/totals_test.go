package sandbox

import (
	"strings"
	"testing"

	"majordomo/sandbox/docker"
)

// Two trees that fit their own limits and not the total of their pool: one is ended, and that it was for the pool is told; the other lives.
func TestTotalMemory(t *testing.T) {
	h := limited(t, MemoryLimit)
	if err := h.SetTotals(Totals{Memory: 128 << 20}); err != nil {
		t.Fatal(err)
	}
	small := connector("cat")
	small.Pool = "ann"
	sibling := start(t, h, small)
	s := python(`b = bytearray(300 << 20)`)
	s.Limits.Memory, s.Pool = 512<<20, "ann"
	if _, errs, exit := output(t, h, s); exit != (Exit{Code: -1, Signal: "SIGKILL", OOM: true, Pool: true}) {
		t.Errorf("%+v %s", exit, errs)
	}
	if _, err := sibling.Stdin.WriteString("hello\n"); err != nil || line(t, sibling) != "hello" {
		t.Error("its sibling is gone")
	}
	s.Pool = "bob"
	s.Argv[len(s.Argv)-1] = `b = bytearray(64 << 20)`
	succeed(t, h, s) // has a total of its own
	s.Limits.Memory = 32 << 20
	if _, errs, exit := output(t, h, s); exit != (Exit{Code: -1, Signal: "SIGKILL", OOM: true}) {
		t.Errorf("for its own limit: %+v %s", exit, errs)
	}
}

// Every total that was asked for is reported, with why it is not in force where it is not.
func TestTotalsAreReported(t *testing.T) {
	h := openHost(t)
	if totals := h.Report().Totals; len(totals) != 0 {
		t.Errorf("asked for none: %+v", totals)
	}
	if err := h.SetTotals(Totals{Pids: 1000, CPU: 1}); err != nil {
		t.Fatal(err)
	}
	var lacks Report
	for _, l := range limitLayers {
		lacks.Missing = append(lacks.Missing, Missing{Layer: l, Reason: "read-only"})
	}
	for _, r := range []Report{h.Report(), lacks} {
		got := h.totalsOf(h.totals, r)
		if len(got) != 2 || got[0].Layer != PIDLimit || got[1].Layer != CPULimit {
			t.Errorf("got %+v", got)
		}
		for _, total := range got {
			if r.Has(total.Layer) != (total.Reason == "") {
				t.Errorf("%+v where in force is %v", total, r.InForce)
			}
		}
	}
	h.addTotals(&lacks)
	if len(lacks.Totals) != 2 || len(lacks.Notes) != 0 { // the missing layer says it
		t.Errorf("got %+v", lacks)
	}
	contained := &Host{engine: new(docker.Engine), totals: Totals{Pids: 1000}}
	r := Report{InForce: []Layer{PIDLimit}}
	contained.addTotals(&r)
	if note := r.Notes[PIDLimit]; !strings.Contains(note, "what all of a member have together is not limited, because containers") {
		t.Errorf("noted %q", note)
	}
}
