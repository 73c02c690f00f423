package supervisor

import (
	"context"
	"errors"
	"strings"

	"majordomo/configs/manifest"
	"majordomo/deps"
	"majordomo/install"
	"majordomo/supervisor/activations"
)

// prepared is a plan together with the activation it was made from.
type prepared struct {
	Plan     Plan
	number   int64
	signedIn bool // nothing is left to sign in to
}

// settled marks an error that trying again by itself will not change: a person
// has to install, activate or restart something first.
type settled struct{ error }

func (e settled) Unwrap() error { return e.error }

// prepare makes the plan for the next start of an instance from what is
// remembered and installed now.
func (s *Supervisor) prepare(ctx context.Context, k key) (prepared, error) {
	if dev := s.devVersion(k); dev != nil {
		p, err := s.plan(ctx, ingredients{dev.act, dev.pkg, dev.filled, dev.needs()}, nil)
		return prepared{Plan: p, number: notWritten}, err
	}
	act, err := s.activations.Get(ctx, k.member, k.connector)
	if err != nil {
		return prepared{}, err
	}
	pkg, err := s.installed(ctx, k.connector)
	if err != nil {
		return prepared{}, settled{err}
	}
	filled, err := s.remembered(ctx, act)
	if err != nil {
		return prepared{}, settled{err}
	}
	form := pkg.Release.Env
	filled = filled.within(form).complete(form)
	if missing := filled.missing(form); len(missing) > 0 {
		reason := strings.Join(missing, "; ")
		err := s.activations.SetState(ctx, act.Number, activations.PendingSetup, reason)
		return prepared{}, settled{errors.Join(&Invalid{"start " + act.Connector, missing}, err)}
	}
	if act.State == activations.PendingSetup {
		act.State = firstState(pkg.Release)
		if err := s.activations.SetState(ctx, act.Number, act.State, ""); err != nil {
			return prepared{}, err
		}
	}
	p, err := s.plan(ctx, ingredients{act, pkg, filled, treeOf(pkg)}, nil)
	if err != nil {
		return prepared{}, err
	}
	return prepared{Plan: p, number: act.Number, signedIn: act.State == activations.Ready}, nil
}

// ingredients are what a plan is made of.
type ingredients struct {
	act    activations.Activation
	pkg    install.Package
	filled values
	needs  deps.Package // whose dependencies are built
}

// plan builds the dependencies, which is what takes long, and puts everything
// together. progress may be nil.
func (s *Supervisor) plan(ctx context.Context, from ingredients, progress func(Progress)) (Plan, error) {
	var onEvent func(deps.Event)
	if progress != nil {
		onEvent = func(e deps.Event) { progress(depsProgress(e)) }
	}
	tree, err := s.o.Trees.Ensure(ctx, from.needs, onEvent)
	if err != nil {
		return Plan{}, err
	}
	return Plan{
		Member: from.act.Member, Connector: from.act.Connector, Name: from.act.Name, UID: from.act.UID, GID: from.act.GID,
		Package: from.pkg, Tree: tree, Values: from.filled.plain, Secrets: from.filled.sealed,
		Egress: reach(from.act, from.pkg.Release),
	}, nil
}

func treeOf(pkg install.Package) deps.Package {
	return deps.Package{ID: pkg.Release.ID, Dir: pkg.Dir, Files: pkg.Release.Files}
}

func depsProgress(e deps.Event) Progress {
	return Progress{Phase: "deps", Message: e.Phase, Detail: e.Line}
}

// installed returns a package that this daemon can run.
func (s *Supervisor) installed(ctx context.Context, connector string) (install.Package, error) {
	pkg, err := s.o.Packages.Package(ctx, connector)
	if err != nil {
		return install.Package{}, err
	}
	return pkg, runnable(pkg.Release)
}

// runnable refuses what nothing here can run yet.
func runnable(r manifest.Release) error {
	refuse := func(why, hint string) error {
		return &manifest.Refusal{What: "activate " + r.ID, Why: why, Hint: hint}
	}
	switch {
	case r.Source == manifest.SourceRemote:
		return refuse("it is a remote service, and this version runs local connectors only", "choose a connector of type mcp_local")
	case r.Scope == manifest.ScopeGlobal:
		return refuse("it is for the whole household, and this version runs connectors for single members only", "choose a connector of scope user")
	case r.Auth.Kind == manifest.AuthOAuth:
		return refuse("it signs in through a browser (oauth2), which this version cannot do", "choose a connector that signs in by form or QR code")
	}
	return nil
}

// firstState is where an activation with good values stands.
func firstState(r manifest.Release) activations.State {
	if r.Auth.Kind == manifest.AuthQR {
		return activations.PendingLogin
	}
	return activations.Ready
}
