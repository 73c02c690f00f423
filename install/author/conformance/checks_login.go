package conformance

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// checkLogin: login_status tells where a sign-in stands, and logout starts it anew
// (guide §4d). The session it ends is that of this run.
func checkLogin(t *trial) (string, error) {
	for _, name := range hidden {
		if !slices.ContainsFunc(t.tools, func(tool tool) bool { return tool.Name == name }) {
			return "", fmt.Errorf("auth.type is qr and there is no tool %s", name)
		}
	}
	before, err := t.loginState()
	if err != nil {
		return "", err
	}
	out, r, err := t.call("logout", `{}`)
	if err == nil && (r.Error != nil || out.IsError) {
		err = fmt.Errorf("logout failed: %s", clip(append(r.Error, r.Result...)))
	}
	if err != nil {
		return "", err
	}
	after, err := t.loginState()
	if err == nil && after == "ready" {
		err = errors.New("it is still signed in after logout")
	}
	return fmt.Sprintf("%s, after logout %s", before, after), err
}

// loginState asks once and checks the answer.
func (t *trial) loginState() (string, error) {
	out, r, err := t.call("login_status", `{}`)
	if err != nil {
		return "", err
	}
	var login loginStatus
	if r.Error != nil || out.IsError || json.Unmarshal([]byte(out.text()), &login) != nil {
		return "", fmt.Errorf("login_status does not answer with a JSON object as its text: %s", clip(append(r.Error, r.Result...)))
	}
	return login.State, login.check()
}

// loginStatus is what the tool answers (guide §4d).
type loginStatus struct{ State, QR, Message string }

func (l loginStatus) check() error {
	const address = "data:image/png;base64,"
	png, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(l.QR, address))
	switch {
	case !slices.Contains([]string{"connecting", "need_scan", "ready", "logged_out"}, l.State):
		return fmt.Errorf("the state of login_status is %q, want connecting, need_scan, ready or logged_out", l.State)
	case l.State != "need_scan" && l.QR != "":
		return fmt.Errorf("login_status has a qr although its state is %s", l.State)
	case l.State == "need_scan" && !strings.HasPrefix(l.QR, address):
		return fmt.Errorf("login_status says need_scan without a qr that is a %s address", address)
	case l.State == "need_scan" && (err != nil || !bytes.HasPrefix(png, []byte("\x89PNG\r\n\x1a\n"))):
		return errors.New("what follows base64 in the qr of login_status is no PNG")
	case l.Message == "":
		return warn("login_status has no message for the person who signs in")
	}
	return nil
}
