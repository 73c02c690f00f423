// Package conformance runs a connector against the server contract of the guide
// (§2, §4d): the real process, in a sandbox of its own, with the strictest of
// clients before it.
//
//	folder → copy, dependencies, Spec (place) → process and its lines (wire) → checks, one after another (trial) → Report
//
// It needs no daemon, and must never touch the folder it tests, a member's data or
// a state directory in use: everything it makes is in a temporary directory that is
// gone when Run returns. The process that is tested owns two goroutines, which read
// its output; both are gone before the next one starts.
package conformance

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"time"

	"go.uber.org/zap"

	"majordomo/configs"
	"majordomo/configs/manifest"
	"majordomo/deps"
	"majordomo/install/author"
	"majordomo/sandbox"
	"majordomo/sandbox/runtimes"
)

// Options of a run. The zero value works.
type Options struct {
	Set      map[string]string // values of the form; what is missing and required takes its example or "test", the rest its default
	Secrets  map[string]string // the same, for values that must not be seen in the report
	Call     []Call            // of the connector's tools, which have to succeed
	Patience time.Duration     // for each answer; 0 = 10 s. The first one, after a start, has three times that
	Runtimes *runtimes.Finder  // nil = one of its own
	Progress func(deps.Event)  // of the installation of dependencies; may be nil
	Log      *zap.Logger       // nil = silent
}

// Call is one valid call. Only whoever knows what a tool does can ask for one.
type Call struct {
	Tool      string
	Arguments json.RawMessage // an object; nil = an empty one
}

// Check is what became of one check.
type Check struct {
	Name     string `json:"name"` // as in docs/authoring.md
	OK       bool   `json:"ok"`
	Severity string `json:"severity"` // error | warning: what it means when it is not OK
	Message  string `json:"message"`  // what is wrong, or what was seen
}

// Report is a whole run, in the order in which it was done. When a connector
// cannot be spoken to at all, the checks that follow are missing.
type Report struct {
	OK     bool    `json:"ok"` // warnings are allowed
	Checks []Check `json:"checks"`
}

// Run tests the connector in the folder dir. What the connector does wrong is in
// the Report; an error means that this host cannot test it, or with an
// author.WrongFolderError that dir holds no connector, or with an UnknownFieldError
// that o gives what its form does not ask for. ctx ends the run early,
// and nothing of the connector is left when Run returns.
func Run(ctx context.Context, dir string, o Options) (r Report, err error) {
	o.Patience = cmp.Or(o.Patience, 10*time.Second)
	o.Runtimes = cmp.Or(o.Runtimes, &runtimes.Finder{})
	release, err := author.Release(dir)
	if wrong, ok := errors.AsType[*author.WrongFolderError](err); ok {
		return Report{}, wrong
	}
	if err != nil {
		return failed("installable", err), nil
	}
	if release.Installable() != nil {
		return failed("installable", faultsOf(release)), nil
	}
	if err := checkForm(release.Env, o.Set, o.Secrets); err != nil {
		return Report{}, err
	}
	if release.Source == manifest.SourceRemote {
		return Report{}, &manifest.Refusal{What: "test " + release.ID, Why: "a remote connector has no process to test"}
	}
	state, err := os.MkdirTemp("", "majordomo-test-")
	if err != nil {
		return Report{}, err
	}
	paths := configs.Paths{State: state}
	defer func() {
		if e := deps.Remove(state); err == nil {
			err = e
		}
	}()
	host, err := sandbox.New(sandbox.Options{StateDir: state, Log: o.Log})
	if err != nil {
		return Report{}, err
	}
	defer host.Close()
	t := &trial{place: place{o: o, dir: dir, paths: paths, host: host, release: release}}
	defer t.close()
	return t.run(ctx)
}

// faultsOf is everything that keeps a release from being installed, for whoever made it.
func faultsOf(r manifest.Release) error {
	var all []string
	for _, p := range r.Problems {
		if p.Severity == manifest.Error {
			all = append(all, p.String())
		}
	}
	return errors.New(strings.Join(all, "; "))
}

func failed(name string, err error) Report {
	return Report{Checks: []Check{{Name: name, Severity: manifest.Error, Message: err.Error()}}}
}
