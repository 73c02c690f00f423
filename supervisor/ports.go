package supervisor

import (
	"context"
	"encoding/json"

	"majordomo/deps"
	"majordomo/deps/inside"
	"majordomo/install"
	"majordomo/mcpclient"
	"majordomo/mcpclient/stderr"
	"majordomo/sandbox"
	"majordomo/sandbox/egress"
	"majordomo/supervisor/vault"
)

// Packages knows what is installed; *install.Installer does.
type Packages interface {
	// Package returns one, or an *install.NotInstalledError.
	Package(ctx context.Context, id string) (install.Package, error)
	// Everything returns what is installed, and what is kept to go back to.
	Everything(ctx context.Context) ([]install.Package, error)
}

// Trials remembers packages that have not shown yet that they start, over
// restarts; *install.Installer does.
type Trials interface {
	Trials(ctx context.Context) ([]install.Trial, error)
	// Proven ends the trial of a package, which stays.
	Proven(ctx context.Context, id string) error
	// Rollback puts the package back that the installed one replaced.
	Rollback(ctx context.Context, id string, trial []string) (install.Package, error)
}

// Trees builds dependencies; *deps.Builder does.
type Trees interface {
	Ensure(ctx context.Context, p deps.Package, progress func(deps.Event)) (deps.Tree, error)
	// Unused lists trees and caches that nothing needs, Discard removes one.
	Unused(ctx context.Context, u deps.Use) ([]deps.Leftover, error)
	Discard(l deps.Leftover) error
}

// Launcher answers with a process; package process does.
type Launcher interface {
	// Launch starts a connector and opens a session with it. ctx bounds the
	// start only. When it fails nothing of the attempt is left running.
	Launch(ctx context.Context, p Plan) (Running, error)
	// Run runs one command where the connector itself would run, and waits.
	// ctx bounds all of it; when it ends, so does everything that was started.
	Run(ctx context.Context, p Plan, c Command) (Output, error)
	// Leave removes what was put into the directory of a connector that is run no
	// more; what the connector keeps there stays.
	Leave(member, name string) error
}

// Plan is everything a start needs. It is data; nothing in it changes once made.
type Plan struct {
	Member, Connector, Name string
	UID, GID                int // of the process; 0 when the daemon is not root. GID is the member's group
	Package                 install.Package
	Tree                    deps.Tree
	Values                  map[string]string       // form values, passed on verbatim
	Secrets                 map[string]vault.Secret // the same, sealed until the very start
	Log                     *stderr.Log             // takes what it says on standard error; nil for Run
	Egress                  egress.Policy           // what it may reach, decided
	OnTools                 func([]mcpclient.Tool)  // told when the connector changed its tools; may be nil
	OnAlive                 func(alive bool)        // told when, idle, it stops answering pings, and when it speaks again; may be nil
}

// Dir is where the connector works inside its sandbox (guide §5).
func (p Plan) Dir() string { return inside.Dir(p.Name) }

// Command is run instead of the connector, in its place.
type Command struct {
	Shell       string   // a line for sh -c, or
	Interpreter []string // arguments for the connector's own interpreter
}

// Output is what a Command left behind, each stream cut at 64 KiB.
type Output struct {
	Stdout, Stderr []byte
	Exit           sandbox.Exit
}

// Running is a started connector whose session is open.
type Running struct {
	PID     int
	Sandbox sandbox.Report
	Session Session
	Process Process
	// Noise counts the lines on its standard output that are not protocol; nil =
	// that is not known.
	Noise func() int64
	// Listens reports whether it told of something that happened outside, of
	// its own accord; nil = it never does.
	Listens func() bool
	// Usage is what its whole tree uses now, as far as the host counts it; nil =
	// that is not known.
	Usage func() sandbox.Usage
	// Contacts says what it had to do with which host; nil = that is not known.
	Contacts func() []egress.Contact
}

// Session is the conversation with a connector; *mcpclient.Session is one.
type Session interface {
	Tools() []mcpclient.Tool
	// Call fails as soon as the process is gone. progress, if not nil, is told of
	// each sign that the call goes on.
	Call(ctx context.Context, tool string, args json.RawMessage, progress func(json.RawMessage)) (json.RawMessage, error)
}

// Process is the process behind a session.
type Process interface {
	// Done is closed when nothing of the process lives and the session is over:
	// it left, or its session broke and it was ended for that.
	Done() <-chan struct{}
	// Cause says why, after Done.
	Cause() error
	// Stop ends it, step by step, and returns after Done, or some seconds after a
	// kill that the kernel lets wait. When ctx ends the rest of the grace is
	// skipped. It may be called more than once, and says how far it had to go.
	Stop(ctx context.Context) sandbox.Stage
}
