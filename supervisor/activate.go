package supervisor

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"majordomo/configs/database"
	"majordomo/install"
	"majordomo/supervisor/activations"
	"majordomo/supervisor/vault"
)

// Activate checks the form, builds dependencies, verifies, remembers and
// starts. An existing activation is changed: values given replace, others are
// kept. When the values were good but the connector does not start, both an
// Activation and an error are returned: it is remembered, and tried again.
func (s *Supervisor) Activate(ctx context.Context, r Request) (Activation, error) {
	if r.Progress == nil {
		r.Progress = func(Progress) {}
	}
	k := key{r.Member, r.Connector}
	unlock, err := s.edits.Lock(ctx, k)
	if err != nil {
		return Activation{}, err
	}
	defer unlock()

	r.Progress(Progress{Phase: "form", Message: "checking what was given"})
	d, err := s.draft(ctx, r)
	if err != nil {
		return Activation{}, err
	}
	plan, err := s.plan(ctx, ingredients{d.act, d.pkg, d.filled.complete(d.pkg.Release.Env), treeOf(d.pkg)}, r.Progress)
	if err != nil {
		return Activation{}, err
	}
	if d.pkg.Release.Verify != nil {
		r.Progress(Progress{Phase: "verify", Message: "asking the connector to check these values"})
	}
	if err := s.verify(ctx, plan); err != nil {
		return Activation{}, err
	}
	if err := s.remember(ctx, &d); err != nil { // the commit point
		return Activation{}, err
	}
	r.Progress(Progress{Phase: "start", Message: "starting"})
	i, err := s.instance(k)
	if err != nil {
		return Activation{}, err
	}
	startErr := i.restart(ctx)
	act, err := s.activated(context.WithoutCancel(ctx), r.Member, r.Connector) // it is remembered, whoever still waits
	return s.describe(act), errors.Join(startErr, err)
}

// draft is an activation that is not remembered yet.
type draft struct {
	act    activations.Activation
	pkg    install.Package
	filled values
}

// draft checks a request against what is installed and remembered, and changes
// nothing but to give the activation its ids.
func (s *Supervisor) draft(ctx context.Context, r Request) (draft, error) {
	if err := s.exists(ctx, r.Member); err != nil {
		return draft{}, err
	}
	pkg, err := s.installed(ctx, r.Connector)
	if err != nil {
		return draft{}, err
	}
	act, err := s.activations.Get(ctx, r.Member, r.Connector)
	known := err == nil
	if err != nil && !errors.Is(err, activations.ErrUnknown) {
		return draft{}, err
	}
	var filled values
	if known {
		if filled, err = s.remembered(ctx, act); err != nil {
			return draft{}, err
		}
	}
	form := pkg.Release.Env
	filled = filled.within(form).with(form, r.Set, r.Secrets)
	if problems := filled.problems(form); len(problems) > 0 {
		return draft{}, &Invalid{What: "activate " + r.Connector, Problems: problems}
	}
	if !known {
		act = activations.Activation{Member: r.Member, Connector: r.Connector, Name: activations.NameOf(r.Connector)}
		err = s.identify(ctx, &act, "activation")
	}
	// A connector that was signed in by QR code stays so when a value changes.
	if !known || act.State != activations.Ready {
		act.State = firstState(pkg.Release)
	}
	if err != nil {
		return draft{}, err
	}
	act.Config, act.Reason, act.Stopped = filled.plain, "", false
	act.Egress, err = reachOf(act.Egress, r)
	return draft{act, pkg, filled}, err
}

// identify gives an activation its ids. Its uid belongs to this member, connector
// and use of it for good, because files that it owns outlive it; its gid is the
// member's.
func (s *Supervisor) identify(ctx context.Context, act *activations.Activation, use string) (err error) {
	if os.Geteuid() != 0 {
		return nil
	}
	if act.UID, err = s.ids.Of(ctx, fmt.Sprintf("%s %s/%s", use, act.Member, act.Connector)); err != nil {
		return err
	}
	act.GID, err = s.ids.Of(ctx, "member "+act.Member)
	return err
}

// remember writes values, open and sealed, in one transaction. Until then the
// package may have been removed: dependencies and checks take their time.
func (s *Supervisor) remember(ctx context.Context, d *draft) error {
	unlock, err := s.edits.Lock(ctx, key{connector: d.act.Connector})
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := s.installed(ctx, d.act.Connector); err != nil {
		return err
	}
	return database.InTx(ctx, s.o.DB, func(tx *sql.Tx) error {
		var err error
		if d.act.Number, err = s.activations.Put(ctx, tx, d.act); err != nil {
			return err
		}
		handle := s.vault.Of(d.act.Member, d.act.Connector)
		if err := handle.Revoke(ctx, tx); err != nil {
			return err
		}
		return putAll(ctx, handle, tx, d.filled.sealed)
	})
}

func putAll(ctx context.Context, handle vault.Handle, tx *sql.Tx, sealed map[string]vault.Secret) error {
	for name, secret := range sealed {
		if err := handle.Put(ctx, tx, name, secret); err != nil {
			return err
		}
	}
	return nil
}
