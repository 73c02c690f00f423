package sandbox

import (
	"context"
	"os"
	"time"
)

// Process is one started sandbox. It is safe for concurrent use.
type Process struct {
	// Our ends of its pipes. They support deadlines. Stop closes Stdin; Stdout and Stderr are the caller's to drain, from
	// before the first byte, and to close.
	Stdin, Stdout, Stderr *os.File
}

// PID is the sandbox's init as the host sees it. Killing it ends the whole tree.
func (p *Process) PID() int { return 0 }

// Report says which layers are in force on this process.
func (p *Process) Report() Report { return Report{} }

// Done is closed when the process has exited and nothing of its tree is left. It is seen by wait(2): a grandchild that holds
// the pipes delays nothing.
func (p *Process) Done() <-chan struct{} { return nil }

// Exit says how the process ended. It is meaningful after Done.
func (p *Process) Exit() Exit { return Exit{} }

// Exit is how a process ended.
type Exit struct {
	Code   int    // exit code; -1 when a signal ended it
	Signal string // "SIGKILL", … or ""
	OOM    bool   // the kernel killed something of the tree for lack of memory
}

// Grace is how long each step of Stop waits. A zero field takes the default.
type Grace struct {
	Stdin time.Duration // after closing stdin, 3 s
	Term  time.Duration // after SIGTERM, 2 s
}

// Stage is how far Stop had to go.
type Stage string

const (
	StageGone  Stage = "gone"  // it had exited before
	StageStdin Stage = "stdin" // it left when its stdin was closed
	StageTerm  Stage = "term"  // it left on SIGTERM
	StageKill  Stage = "kill"  // it was killed
)

// Stop ends the process: close stdin, wait, SIGTERM, wait, kill everything. It returns when nothing of the tree is left. It may
// be called more than once and from several goroutines, which all get the same answer. When ctx ends the rest of the grace is
// skipped.
func (p *Process) Stop(ctx context.Context, g Grace) Stage { return StageGone }

// Kill ends the whole tree at once. It does not wait.
func (p *Process) Kill() {}
