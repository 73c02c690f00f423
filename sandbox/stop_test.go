package sandbox

import (
	"context"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"
)

// shapes are the ways in which launchers start what matters. %s is a mark that no other process has.
var shapes = map[string]string{
	"exec":       `echo up; exec sleep %s`,
	"fork+wait":  `echo up; sleep %s; true`,
	"background": `sleep %s & echo up; wait`,
	"subshell":   `(sleep %s; true) & echo up; cat; sleep 1000`,
	"setsid":     `setsid sh -c 'trap "" TERM HUP; echo up; sleep %[1]s' & sleep %[1]s`,
	"pipeline":   `echo up; sleep %s | cat | cat`,
}

func TestNothingSurvives(t *testing.T) {
	h := openHost(t)
	quick := Grace{Stdin: time.Millisecond, Term: 100 * time.Millisecond}
	n := 0
	for shape, script := range shapes {
		for ending, stop := range map[string]func(*Process){
			"stop":  func(p *Process) { p.Stop(t.Context(), quick) },
			"kill":  func(p *Process) { p.Kill(); <-p.Done() },
			"crash": func(p *Process) { _ = p.proc.Kill(); <-p.Done() },
		} {
			n++
			mark := fmt.Sprintf("%d.%d", 1000+n, time.Now().UnixNano())
			t.Run(shape+" "+ending, func(t *testing.T) {
				p := start(t, h, shell(fmt.Sprintf(script, mark)))
				line(t, p)
				stop(p)
				if pids := alive(mark); len(pids) > 0 {
					t.Errorf("%d left", pids)
				}
			})
		}
	}
}

func TestStages(t *testing.T) {
	h := openHost(t)
	soon, never := 50*time.Millisecond, time.Minute
	for _, c := range []struct {
		name, script string
		grace        Grace
		want         Stage
		exit         Exit
	}{
		{"leaves with its stdin", `echo; exec cat`, Grace{Stdin: never, Term: never}, StageStdin, Exit{}},
		{"leaves on TERM", `echo; exec sleep 1000`, Grace{Stdin: soon, Term: never}, StageTerm, Exit{Code: -1, Signal: "SIGTERM"}},
		{"cleans up on TERM", `trap 'exit 7' TERM; echo; while :; do sleep 0.01; done`, Grace{Stdin: soon, Term: never}, StageTerm, Exit{Code: 7}},
		{"ignores TERM", `trap "" TERM; echo; sleep 1000`, Grace{Stdin: soon, Term: soon}, StageKill, Exit{Code: -1, Signal: "SIGKILL"}},
		{"spins", `trap "" TERM; echo; while :; do :; done`, Grace{Stdin: soon, Term: soon}, StageKill, Exit{Code: -1, Signal: "SIGKILL"}},
		{"has closed its stdio", `echo; exec <&- >&- 2>&-; sleep 1000`, Grace{Stdin: soon, Term: never}, StageTerm, Exit{Code: -1, Signal: "SIGTERM"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := start(t, h, shell(c.script))
			line(t, p)
			if got := p.Stop(t.Context(), c.grace); got != c.want {
				t.Errorf("stage %s, want %s", got, c.want)
			}
			if p.Exit() != c.exit {
				t.Errorf("exit %+v, want %+v", p.Exit(), c.exit)
			}
			if again := p.Stop(t.Context(), c.grace); again != c.want {
				t.Errorf("a second Stop says %s", again)
			}
		})
	}
}

func TestStopOfWhatIsGone(t *testing.T) {
	h := openHost(t)
	p := start(t, h, shell("exit 3"))
	<-p.Done()
	if stage := p.Stop(t.Context(), Grace{}); stage != StageGone || p.Exit() != (Exit{Code: 3}) {
		t.Errorf("%s %+v", stage, p.Exit())
	}
}

// Several callers stop at once; the end of the first one's patience ends the grace for all.
func TestStopTogether(t *testing.T) {
	h := openHost(t)
	p := start(t, h, shell(`trap "" TERM; echo; sleep 1000`))
	line(t, p)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if stage := p.Stop(ctx, Grace{Stdin: time.Hour, Term: time.Hour}); stage != StageKill {
				t.Error(stage)
			}
		})
	}
	all.Wait()
}

// The exit is seen by wait: a grandchild that holds the pipes, and is killed with the rest, delays nothing.
func TestExitIsSeenByWait(t *testing.T) {
	h := openHost(t)
	mark := fmt.Sprint("2000.", time.Now().UnixNano())
	for name, c := range map[string]struct {
		script string
		want   Exit
	}{
		"code":   {`setsid sleep ` + mark + ` & exit 5`, Exit{Code: 5}},
		"signal": {`sleep ` + mark + ` & kill -SEGV $$`, Exit{Code: -1, Signal: "SIGSEGV"}},
		"killed": {`sleep ` + mark + ` & kill -KILL $$`, Exit{Code: -1, Signal: "SIGKILL"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := start(t, h, shell(c.script))
			if _, err := io.ReadAll(p.Stdout); err != nil {
				t.Error(err)
			}
			<-p.Done()
			if p.Exit() != c.want {
				t.Errorf("%+v", p.Exit())
			}
			if pids := alive(mark); len(pids) > 0 {
				t.Errorf("%d left", pids)
			}
		})
	}
}

// A process whose stdio is closed is not over.
func TestClosedStdioIsNotTheEnd(t *testing.T) {
	h := openHost(t)
	p := start(t, h, shell(`exec >&- 2>&-; exec sleep 1000`))
	if _, err := io.ReadAll(p.Stdout); err != nil {
		t.Error(err)
	}
	select {
	case <-p.Done():
		t.Error("done")
	default:
	}
}

// The deaf cannot block a writer for ever.
func TestWriteDeadline(t *testing.T) {
	h := openHost(t)
	p := start(t, h, shell(`sleep 1000`))
	if err := p.Stdin.SetWriteDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Stdin.Write(make([]byte, 1<<20)); err == nil {
		t.Error("a pipe took a megabyte that nobody reads")
	}
}
