package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"majordomo/configs/manifest"
)

const (
	loginFresh   = 2 * time.Second  // an answer this young is good enough, and how often it is asked while somebody watches
	loginWatched = 10 * time.Second // how long after a question somebody counts as watching
	loginSlow    = 30 * time.Second // how often it is asked while nobody watches
	loginLimit   = 20 * time.Second // of one answer
)

// login follows where signing in by QR code stands. It belongs to the instance's
// goroutine, like the instance's own fields.
type login struct {
	timer    *time.Timer
	qr       bool // this connector signs in by QR code
	number   int64
	last     Login
	at       time.Time // of last; zero = nothing known of this process
	asking   bool
	asked    time.Time // when somebody last wanted to know
	waiting  []chan<- loginAnswer
	signedIn bool // the activation is remembered as ready
}

type loginAnswer struct {
	login Login
	err   error
}

// begin forgets what an earlier process said.
func (l *login) begin(p prepared) {
	l.qr = p.Plan.Package.Release.Auth.Kind == manifest.AuthQR
	l.number, l.signedIn = p.number, p.signedIn
	l.at, l.asking = time.Time{}, false
}

// end answers whoever waits for a process that is gone.
func (l *login) end(err error) {
	l.timer.Stop()
	for _, reply := range l.waiting {
		reply <- loginAnswer{err: err}
	}
	l.waiting = nil
}

// LoginStatus asks a QR connector where signing in stands, starting it when it
// does not run. However many ask, the connector is asked at most every 2 s.
func (s *Supervisor) LoginStatus(ctx context.Context, member, connector string) (Login, error) {
	i, err := s.known(ctx, member, connector)
	if err != nil {
		return Login{}, err
	}
	l, err := i.wake(ctx)
	if err != nil {
		return Login{}, err
	}
	defer l.release()
	reply := make(chan loginAnswer, 1)
	if !i.post(func() { i.onLogin(reply) }) {
		return Login{}, ErrStopping
	}
	select {
	case a := <-reply:
		return a.login, a.err
	case <-ctx.Done():
		return Login{}, ctx.Err()
	}
}

// onLogin answers somebody who watches.
func (i *instance) onLogin(reply chan<- loginAnswer) {
	l := &i.login
	l.asked = time.Now()
	switch {
	case i.live.Load() == nil:
		reply <- loginAnswer{err: i.unavailable("it is " + string(i.state))}
	case !l.qr:
		reply <- loginAnswer{err: &Invalid{What: "sign in to " + i.key.connector, Problems: []string{"it does not sign in by QR code"}}}
	case !l.at.IsZero() && time.Since(l.at) < loginFresh:
		reply <- loginAnswer{login: l.last}
	default:
		l.waiting = append(l.waiting, reply)
		i.askLogin()
	}
}

// askLogin asks the connector, unless it is being asked already.
func (i *instance) askLogin() {
	running := i.live.Load()
	if running == nil || !i.login.qr || i.login.asking {
		return
	}
	i.login.asking = true
	i.work(func() {
		ctx, cancel := context.WithTimeout(context.Background(), loginLimit)
		defer cancel()
		raw, err := running.Session.Call(ctx, "login_status", json.RawMessage(`{}`), nil)
		var status Login
		if err == nil {
			status, err = readLogin(raw)
		}
		i.post(func() { i.onLoginStatus(running.generation, status, err) })
	})
}

// onLoginStatus takes over what the connector said.
func (i *instance) onLoginStatus(generation uint64, status Login, err error) {
	l := &i.login
	if generation != i.generation {
		return // its process is gone, and whoever waited knows
	}
	l.asking = false
	if err == nil {
		l.last, l.at = status, time.Now()
		i.signed(status.State)
	} else {
		err = fmt.Errorf("cannot ask %s where signing in stands: %w", i.key.connector, err)
	}
	for _, reply := range l.waiting {
		reply <- loginAnswer{status, err}
	}
	l.waiting = nil
	switch {
	case err == nil && status.State == "ready": // and nobody asks again until somebody wants to know
	case time.Since(l.asked) < loginWatched:
		l.timer.Reset(loginFresh)
	default:
		l.timer.Reset(loginSlow)
	}
}

// signed keeps the activation true to what the connector says. A connector that
// is merely connecting is still signed in.
func (i *instance) signed(state string) {
	in, out := state == "ready", state == "logged_out" || state == "need_scan"
	if in == i.login.signedIn || !in && !out {
		return
	}
	i.s.signedIn(i.login.number, in)
	i.login.signedIn = in
}

// readLogin reads the result of login_status: a JSON object as text (guide §4d).
// A connector that says something else is still connecting.
func readLogin(raw json.RawMessage) (Login, error) {
	var result struct {
		IsError bool
		Content []struct{ Text string }
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return Login{}, err
	}
	text := ""
	if len(result.Content) > 0 {
		text = result.Content[0].Text
	}
	if result.IsError {
		return Login{}, errors.New(text)
	}
	var status struct{ State, QR, Message string }
	if err := json.Unmarshal([]byte(text), &status); err != nil || status.State == "" {
		return Login{State: "connecting", Message: text}, nil
	}
	login := Login{State: status.State, Message: status.Message}
	if status.State == "need_scan" && strings.HasPrefix(status.QR, "data:image/") {
		login.QR = status.QR
	}
	return login, nil
}
