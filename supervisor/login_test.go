package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"majordomo/configs/manifest"
	"majordomo/supervisor/activations"
)

// phone is a QR connector: what it says is the test's to set.
type phone struct {
	mu    sync.Mutex
	says  string
	asked int
}

func (p *phone) set(says string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.says = says
}

func (p *phone) polls() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked
}

func (p *phone) answer(a *actor, tool string) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if tool != "login_status" {
		return "", errors.New("unexpected " + tool)
	}
	p.asked++
	if p.says == "crash" {
		p.says = `{"state":"need_scan"}`
		a.exit(errors.New("its process exited with code 1"))
		return "", a.cause
	}
	return p.says, nil
}

// pairing activates a QR connector that waits for its code to be scanned.
func pairing(h *house) *phone {
	h.offer(manifest.Release{ID: "notes", Auth: manifest.Auth{Kind: manifest.AuthQR}})
	p := &phone{says: `{"state":"need_scan","qr":"data:image/png;base64,AAAA","message":"scan"}`}
	h.script = func(_ context.Context, a *actor) error {
		a.call = func(_ context.Context, tool string, _ json.RawMessage) (string, error) { return p.answer(a, tool) }
		return nil
	}
	if act := h.activate(); act.State != activations.PendingLogin || act.AuthState != "pending" {
		h.t.Errorf("activated, it is %+v", act)
	}
	return p
}

func (h *house) remembered() activations.State {
	h.t.Helper()
	all, err := h.Activations(h.t.Context(), "ann")
	if err != nil || len(all) != 1 {
		h.t.Fatalf("%v (%v)", all, err)
	}
	return all[0].State
}

// From need_scan to ready while ten people watch; then nobody asks any more.
func TestSignIn(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		p := pairing(h)
		var watchers sync.WaitGroup
		for range 10 {
			watchers.Go(func() {
				for seen := ""; seen != "ready"; time.Sleep(300 * time.Millisecond) {
					got, err := h.LoginStatus(t.Context(), "ann", "notes")
					if err != nil {
						t.Error(err)
						return
					}
					if got.State == "need_scan" && got.QR == "" || got.State == "ready" && got.QR != "" {
						t.Errorf("got %+v", got)
					}
					seen = got.State
				}
			})
		}
		time.Sleep(20 * time.Second)
		if n := p.polls(); n < 9 || n > 11 {
			t.Errorf("it was asked %d times in 20 s", n)
		}
		if got := h.remembered(); got != activations.PendingLogin {
			t.Errorf("it is %s", got)
		}
		p.set(`{"state":"ready","message":"paired"}`)
		watchers.Wait()
		if got := h.remembered(); got != activations.Ready {
			t.Errorf("signed in, it is %s", got)
		}
		before := p.polls()
		time.Sleep(time.Hour)
		if p.polls() != before {
			t.Errorf("signed in and unwatched, it was asked %d times", p.polls()-before)
		}
	})
}

// Unwatched, it is asked now and then, so that a scan is noticed.
func TestSignInUnwatched(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		p := pairing(h)
		time.Sleep(10 * time.Minute)
		if n := p.polls(); n < 19 || n > 22 {
			t.Errorf("it was asked %d times in 10 min", n)
		}
		p.set(`{"state":"ready"}`)
		time.Sleep(loginSlow + loginFresh)
		synctest.Wait()
		if got := h.remembered(); got != activations.Ready {
			t.Errorf("it is %s", got)
		}
	})
}

// An outage is no logout; a logout is one, and so is a new code.
func TestSignedOut(t *testing.T) {
	for says, want := range map[string]activations.State{
		"connecting": activations.Ready, "logged_out": activations.PendingLogin, "need_scan": activations.PendingLogin, "something_new": activations.Ready,
	} {
		inHouse(t, func(t *testing.T, h *house) {
			p := pairing(h)
			p.set(`{"state":"ready"}`)
			time.Sleep(loginSlow + 2*loginFresh) // asked, and the answer is old
			p.set(`{"state":"` + says + `"}`)
			if got, err := h.LoginStatus(t.Context(), "ann", "notes"); err != nil || got.State != says {
				t.Errorf("got %+v (%v)", got, err)
			}
			if got := h.remembered(); got != want {
				t.Errorf("%s: it is %s, want %s", says, got, want)
			}
		})
	}
}

// A connector that was signed in is so after a restart, without being asked
// first; and values can change without signing in again.
func TestSignInSurvives(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		p := pairing(h)
		p.set(`{"state":"ready"}`)
		time.Sleep(loginSlow + loginFresh)
		h.close()
		p.set(`{"state":"connecting"}`)
		h.open()
		synctest.Wait()
		if got := h.remembered(); got != activations.Ready {
			t.Errorf("after a restart it is %s", got)
		}
		if act := h.activate(); act.State != activations.Ready {
			t.Errorf("edited, it is %s", act.State)
		}
	})
}

// The process ends while somebody waits for its answer.
func TestSignInCrash(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		p := pairing(h)
		time.Sleep(2 * loginFresh) // its first answer is old now
		p.set("crash")
		if _, err := h.LoginStatus(t.Context(), "ann", "notes"); err == nil {
			t.Error("a dead process answered")
		}
		synctest.Wait()
		if got, err := h.LoginStatus(t.Context(), "ann", "notes"); err != nil || got.State != "need_scan" {
			t.Errorf("after that: %+v (%v)", got, err)
		}
	})
}

func TestNoSignIn(t *testing.T) {
	h := newHouse(t)
	defer h.close()
	h.activate()
	if _, err := h.LoginStatus(t.Context(), "ann", "notes"); err == nil || !strings.Contains(err.Error(), "does not sign in") {
		t.Errorf("got %v", err)
	}
}

func TestReadLogin(t *testing.T) {
	for said, want := range map[string]Login{
		`{"state":"need_scan","qr":"data:image/png;base64,AA","message":"m"}`: {"need_scan", "data:image/png;base64,AA", "m"},
		`{"state":"ready","qr":"data:image/png;base64,AA"}`:                   {"ready", "", ""}, // no code after the scan
		`{"state":"need_scan","qr":"javascript:alert(1)"}`:                    {"need_scan", "", ""},
		`still starting`:  {"connecting", "", "still starting"},
		`{"message":"x"}`: {"connecting", "", `{"message":"x"}`},
		`{"state":7}`:     {"connecting", "", `{"state":7}`},
		``:                {"connecting", "", ""},
	} {
		raw, err := json.Marshal(map[string]any{"content": []any{map[string]string{"type": "text", "text": said}}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := readLogin(raw)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%s: %s (%v)", said, d, err)
		}
	}
	if _, err := readLogin([]byte(`{"isError":true,"content":[{"text":"no session"}]}`)); err == nil || err.Error() != "no session" {
		t.Errorf("got %v", err)
	}
	for _, odd := range []string{`null`, `{}`, `{"content":[]}`} {
		if got, err := readLogin([]byte(odd)); err != nil || got.State != "connecting" {
			t.Errorf("%s: %+v (%v)", odd, got, err)
		}
	}
}
