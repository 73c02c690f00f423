// Package deps builds the dependency trees of connectors: what npm and pip install for a package.json and a
// requirements.txt (guide §5).
//
//	Ensure ── unchanged? (stat only) ──────────────────────────────→ Tree
//	   └─ key of files and tools ── built before? ─────────────────→ Tree
//	         └─ single flight ─ lock file ─ built meanwhile? ──────→ Tree
//	               └─ <key>.partial: copy, npm and pip in the sandbox, check, seal ── rename ─→ Tree
//
// A tree is built once for each key, from the installed package and never from a member's copy, and nobody can write to
// it afterwards. Code that comes with dependencies runs in a sandbox only, without network unless granted, and never
// where it could reach a credential, a download cache or anybody's home. The package must never change an installed
// package, and never leave a half-built tree under a key.
//
// A build runs in a goroutine of the Builder that ends before the last Ensure waiting for it returns, and with it those that read what
// npm and pip print. Reachable waits for the two that it starts.
package deps

import (
	"context"
	"time"

	"majordomo/configs"
	"majordomo/configs/manifest"
	"majordomo/sandbox"
	"majordomo/sandbox/runtimes"

	"go.uber.org/zap"
)

// Starter starts one sandboxed process; *sandbox.Host does.
type Starter interface {
	Start(ctx context.Context, s sandbox.Spec) (*sandbox.Process, error)
}

// Options of a Builder. All but Paths and Sandbox may be left zero.
type Options struct {
	Paths    configs.Paths
	Sandbox  Starter
	Runtimes *runtimes.Finder // nil = one of its own
	// Outside finds the npm and pip of this host whose configuration says where to fetch from, where Runtimes are not this host's; nil = they are.
	Outside *runtimes.Finder

	Timeout time.Duration   // of one whole install, from start to last byte; 0 = 300 s
	Scripts configs.Scripts // whose install scripts and source builds run; zero = everybody's
	// ScriptsNetwork gives those of npm's packages everything public, and never a credential. Builds of Python packages reach what pip
	// reaches anyway: they fetch what they build with.
	ScriptsNetwork bool
	Registries     []string       // host:port that a build may reach, also where private, beside those configured for npm and pip
	UID            int            // the first of 64 that builds have, and of their groups, when the daemon is root; 0 = DefaultUID
	Limits         sandbox.Limits // of one build; zero fields: 2 GiB, 1024 processes, 16384 files, all cores but one
	Disk           int64          // bytes that one build may have on disk at a time, download caches not counted; 0 = 4 GiB
	Environ        []string       // where npm's, pip's and proxy variables are looked up; nil = this process's environment
	Log            *zap.Logger    // nil = silent
}

// Package is one installed connector. Dir is not written to while Ensure runs, but may be swapped.
type Package struct {
	ID    string
	Dir   string // connectors/<id>
	Files []manifest.File
	Force bool // a person asked: build even though the last try failed a moment ago
	// DeclaredOnly is for a connector under development, whose code changes all the time: only what npm and pip read by themselves makes
	// a new tree, as long as that names no other files.
	DeclaredOnly bool
}

// Tree is what a package's dependencies were installed to, below Dir, owned by the daemon and read-only. A package that
// needs nothing has the zero Tree, but for Warnings.
type Tree struct {
	Key         string
	Dir         string   // deps/<key>
	NodeModules string   // absolute; "" = none
	PyDeps      string   // absolute; "" = none
	Warnings    []string // what went another way than the publisher wrote it down, for people
}

// Event is one step of progress, for people who wait.
type Event struct {
	Phase string // prepare, wait, npm fetch, npm scripts, pip fetch, pip build, check
	Line  string // what the tool printed; "" when the phase begins
}

// DefaultUID and those that follow lie between the ranges that Debian and systemd hand out, and below the 65536 of most containers.
const DefaultUID = 61000
