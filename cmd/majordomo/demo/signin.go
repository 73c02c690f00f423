package demo

import (
	"context"
	"fmt"

	"majordomo/cmd/majordomo/qr"
	"majordomo/supervisor/api"
)

// The states of a QR sign-in (guide §4d).
const (
	connecting = "connecting"
	needScan   = "need_scan"
	paired     = "ready"
)

// wrong can be no code: it holds letters that codes leave out.
const wrong = "0000-0000"

// scan waits for a picture and reads it, as a phone would.
func (v *visit) scan(ctx context.Context) (string, error) {
	l, err := v.settled(ctx)
	if err != nil {
		return "", err
	}
	if l.State != needScan {
		return "", fmt.Errorf("cannot sign in: the state is %s (%s), not %s", l.State, l.Message, needScan)
	}
	return qr.Read(l.QR)
}

// wrongCode shows that a wrong code opens nothing.
func (v *visit) wrongCode(ctx context.Context) (string, error) {
	said, err := v.agent.call(ctx, v.tool("confirm"), map[string]any{"code": wrong})
	if err != nil {
		return "", err
	}
	if !said.failed {
		return "", fmt.Errorf("cannot trust this: the code %s was taken: %s", wrong, said.text)
	}
	who, err := v.agent.call(ctx, v.tool("whoami"), nil)
	if err != nil {
		return "", err
	}
	if !who.failed {
		return "", fmt.Errorf("cannot trust this: after a wrong code it says %q", who.text)
	}
	return oneLine(said.text), nil
}

// rightCode reads the picture anew, which shows that the wrong code left it to be scanned, and hands its code back.
func (v *visit) rightCode(ctx context.Context) (string, error) {
	code, err := v.scan(ctx)
	if err != nil {
		return "", err
	}
	said, err := v.agent.call(ctx, v.tool("confirm"), map[string]any{"code": code})
	if err != nil {
		return "", err
	}
	if said.failed {
		return "", fmt.Errorf("cannot sign in: the code %s from the picture was refused: %s", code, said.text)
	}
	l, err := v.follow(ctx, func(l api.Login) bool { return l.State != connecting && l.State != needScan })
	if err == nil && l.State != paired {
		err = fmt.Errorf("cannot sign in: the state became %s: %s", l.State, l.Message)
	}
	return l.State, err
}

// settled waits until the connector knows whether somebody has to scan.
func (v *visit) settled(ctx context.Context) (api.Login, error) {
	return v.follow(ctx, func(l api.Login) bool { return l.State != connecting })
}

// follow watches the sign-in until it is as wanted.
func (d *demo) follow(ctx context.Context, wanted func(api.Login) bool) (api.Login, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var found *api.Login
	last, err := d.control.Login(ctx, "pairing", d.member, func(l api.Login) {
		if found == nil && wanted(l) {
			found = &l
			cancel() // nothing that comes later is of interest
		}
	})
	switch {
	case found != nil:
		return *found, nil
	case err == nil && !wanted(last):
		err = fmt.Errorf("cannot follow the sign-in: it ended as %s: %s", last.State, last.Message)
	}
	return last, err
}
