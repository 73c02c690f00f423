package conformance

import (
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
	var login struct{ State, QR, Message string }
	if r.Error != nil || out.IsError || len(out.Content) == 0 || json.Unmarshal([]byte(out.Content[0].Text), &login) != nil {
		return "", fmt.Errorf("login_status does not answer with a JSON object as its text: %s", clip(append(r.Error, r.Result...)))
	}
	switch {
	case !slices.Contains([]string{"connecting", "need_scan", "ready", "logged_out"}, login.State):
		return "", fmt.Errorf("the state of login_status is %q, want connecting, need_scan, ready or logged_out", login.State)
	case login.State == "need_scan" && !strings.HasPrefix(login.QR, "data:image/png;base64,"):
		return "", errors.New("login_status says need_scan without a qr that is a data:image/png;base64 address")
	case login.State != "need_scan" && login.QR != "":
		return "", fmt.Errorf("login_status has a qr although its state is %s", login.State)
	}
	return login.State, nil
}
