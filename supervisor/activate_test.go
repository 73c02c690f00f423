package supervisor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"majordomo/configs/manifest"
	"majordomo/install"
	"majordomo/sandbox"
	"majordomo/supervisor/activations"
)

const canary = "canary-55d0c2-do-not-keep"

func TestActivateAndCall(t *testing.T) {
	h := newHouse(t)
	defer h.close()
	var phases []string
	act, err := h.Activate(t.Context(), Request{Member: "ann", Connector: "notes", Progress: func(p Progress) { phases = append(phases, p.Phase) }})
	if err != nil {
		t.Fatal(err)
	}
	if act.ID != "notes" || act.Number != 1 || act.Name != "notes" || act.State != activations.Ready || act.AuthState != "ready" ||
		len(act.Tools) != 1 || act.Tools[0].Name != "mcp__notes__add" || act.Tools[0].Title != "Add" {
		t.Errorf("got %+v", act)
	}
	if strings.Join(phases, " ") != "form start" {
		t.Errorf("progress was %v", phases)
	}
	if got, err := h.add(); err != nil || got != "add {} from 1" {
		t.Errorf("got %q (%v)", got, err)
	}
	if os.Geteuid() == 0 {
		if p := h.last().plan; p.UID != 300_000 || p.GID != 300_001 {
			t.Errorf("it runs as %d:%d", p.UID, p.GID)
		}
	}
}

func TestWhatIsNotThere(t *testing.T) {
	h := newHouse(t)
	defer h.close()
	h.activate()
	ctx := t.Context()
	activate := func(member, connector string) error {
		_, err := h.Activate(ctx, Request{Member: member, Connector: connector})
		return err
	}
	call := func(member, tool, args string) error {
		_, err := h.Call(ctx, member, tool, json.RawMessage(args))
		return err
	}
	_, loginErr := h.LoginStatus(ctx, "ann", "mail")
	_, logsErr := h.Logs(ctx, "eve", "notes", false)
	_, probeErr := h.Probe(ctx, "ann", "mail", "/etc/shadow")
	_, toolsErr := h.Tools(ctx, "eve")
	_, _, tokenErr := h.CreateToken(ctx, "eve", "x")
	_, openErr := h.MemberOfToken(ctx, "mjd_0_0")
	for name, c := range map[string]struct {
		err  error
		want any
		says string
	}{
		"activate for nobody":      {activate("eve", "notes"), &NotFound{}, "members are ann"},
		"activate what is not":     {activate("ann", "mail"), &install.NotInstalledError{}, "majordomo install mail"},
		"call for nobody":          {call("eve", "mcp__notes__add", "{}"), &NotFound{}, "members are ann"},
		"an unknown tool":          {call("ann", "mcp__notes__ad", "{}"), &NotFound{}, "notes has mcp__notes__add"},
		"an unknown connector":     {call("ann", "mcp__mail__send", "{}"), &NotFound{}, "majordomo activate mail --member ann"},
		"not even a name":          {call("ann", "add", "{}"), &NotFound{}, "majordomo tools --member ann"},
		"login_status":             {call("ann", "mcp__notes__login_status", "{}"), &NotFound{}, "notes has"},
		"arguments: an array":      {call("ann", "mcp__notes__add", "[]"), &Invalid{}, "one JSON object"},
		"arguments: null":          {call("ann", "mcp__notes__add", "null"), &Invalid{}, "one JSON object"},
		"arguments: cut off":       {call("ann", "mcp__notes__add", `{"a":`), &Invalid{}, "unexpected end"},
		"arguments: two of them":   {call("ann", "mcp__notes__add", `{} {}`), &Invalid{}, "one JSON object"},
		"arguments: not UTF-8":     {call("ann", "mcp__notes__add", "{\"a\":\"\xff\"}"), &Invalid{}, "UTF-8"},
		"deactivate what is not":   {h.Deactivate(ctx, "ann", "mail"), &NotFound{}, "majordomo activate mail"},
		"restart for nobody":       {h.Restart(ctx, "eve", "notes"), &NotFound{}, "members are ann"},
		"login to what is not":     {loginErr, &NotFound{}, "majordomo activate mail"},
		"logs of nobody":           {logsErr, &NotFound{}, "members are ann"},
		"probe of what is not":     {probeErr, &NotFound{}, "majordomo activate mail"},
		"tools of nobody":          {toolsErr, &NotFound{}, "members are ann"},
		"a token for nobody":       {tokenErr, &NotFound{}, "members are ann"},
		"a token that is no token": {openErr, &NotFound{}, "token create"},
		"a name that is no name":   {h.AddMember(ctx, Member{Name: "Eve"}), &Invalid{}, "a-z"},
		"a name twice":             {h.AddMember(ctx, Member{Name: "ann"}), &Invalid{}, "already"},
	} {
		var notFound *NotFound
		var invalid *Invalid
		var notInstalled *install.NotInstalledError
		ok := false
		switch c.want.(type) {
		case *NotFound:
			ok = errors.As(c.err, &notFound)
		case *Invalid:
			ok = errors.As(c.err, &invalid)
		case *install.NotInstalledError:
			ok = errors.As(c.err, &notInstalled)
		}
		if !ok || !strings.Contains(c.err.Error(), c.says) {
			t.Errorf("%s: got %T %v, want %T saying %q", name, c.err, c.err, c.want, c.says)
		}
	}
	if h.launched() != 1 {
		t.Errorf("%d starts came of it", h.launched()-1)
	}
}

// What nothing here can run yet is refused before anything happens.
func TestRefusals(t *testing.T) {
	h := newHouse(t)
	defer h.close()
	for id, r := range map[string]manifest.Release{
		"remote": {Source: manifest.SourceRemote},
		"shared": {Scope: manifest.ScopeGlobal},
		"google": {Auth: manifest.Auth{Kind: manifest.AuthOAuth}},
	} {
		r.ID = id
		h.offer(r)
		_, err := h.Activate(t.Context(), Request{Member: "ann", Connector: id})
		var refused interface{ Refused() bool }
		if !errors.As(err, &refused) || !strings.HasPrefix(err.Error(), "cannot activate "+id+": ") {
			t.Errorf("%s: got %v", id, err)
		}
	}
	if all, err := h.Activations(t.Context(), ""); err != nil || len(all) != 0 {
		t.Errorf("something is remembered: %v (%v)", all, err)
	}
}

// Values, open and sealed, reach the process; an edit replaces what it gives;
// nothing of a secret is in any file.
func TestValuesAndSecrets(t *testing.T) {
	h := newHouse(t)
	defer h.close()
	h.offer(manifest.Release{ID: "notes", Env: mailForm})
	_, err := h.Activate(t.Context(), Request{
		Member: "ann", Connector: "notes",
		Set: map[string]string{"HOST": "imap.example", "PASSWORD": canary + "1"}, Secrets: map[string]string{"NOTE": canary + "2"},
	})
	if err != nil {
		t.Fatal(err)
	}
	reached := func(want map[string]string) {
		t.Helper()
		p := h.last().plan
		if got := (values{p.Values, p.Secrets}).all(); !maps.Equal(got, want) {
			t.Errorf("the process got %v, want %v", got, want)
		}
	}
	reached(map[string]string{"HOST": "imap.example", "PASSWORD": canary + "1", "NOTE": canary + "2", "PORT": "993"})
	search(t, h.dir)

	act := h.activate("HOST=other.example")
	if act.Number != 1 || h.launched() != 2 {
		t.Errorf("an edit made activation %d and start %d", act.Number, h.launched())
	}
	reached(map[string]string{"HOST": "other.example", "PASSWORD": canary + "1", "NOTE": canary + "2", "PORT": "993"})

	if _, err := h.Activate(t.Context(), Request{Member: "ann", Connector: "notes", Set: map[string]string{"PASSWORD": "", "X": "1"}}); err == nil {
		t.Error("a bad edit was taken")
	}
	reached(map[string]string{"HOST": "other.example", "PASSWORD": canary + "1", "NOTE": canary + "2", "PORT": "993"})

	// After a restart of the daemon they are still there.
	h.close()
	search(t, h.dir)
	h.open()
	if _, err := h.add(); err != nil {
		t.Fatal(err)
	}
	reached(map[string]string{"HOST": "other.example", "PASSWORD": canary + "1", "NOTE": canary + "2", "PORT": "993"})

	if err := h.Deactivate(t.Context(), "ann", "notes"); err != nil {
		t.Fatal(err)
	}
	if n := count(t, h, "secrets"); n != 0 {
		t.Errorf("%d secrets are left", n)
	}
	search(t, h.dir)
}

func count(t *testing.T, h *house, table string) (n int) {
	t.Helper()
	if err := h.o.DB.QueryRow(`SELECT count(*) FROM ` + table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// search looks for the canary in every file of the state directory.
func search(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte("canary-")) {
			t.Errorf("%s holds a secret", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What the connector's own check refuses is not remembered, and an activation
// that is there stays as it was.
func TestVerifyBeforeRemembering(t *testing.T) {
	h := newHouse(t)
	defer h.close()
	h.offer(manifest.Release{ID: "notes", Env: mailForm, Verify: &manifest.Verify{Command: "check {SECRET:PASSWORD}"}})
	verdict := `{"ok": false, "message": "the server says no to ` + canary + `"}`
	h.run = func(p Plan, c Command) (Output, error) {
		if c.Shell != `check "${PASSWORD}"` || p.Secrets["PASSWORD"].Reveal() != canary {
			t.Errorf("the check is %q with %v", c.Shell, p)
		}
		return Output{Stdout: []byte(verdict), Exit: sandbox.Exit{}}, nil
	}
	request := Request{Member: "ann", Connector: "notes", Set: map[string]string{"HOST": "h"}, Secrets: map[string]string{"PASSWORD": canary}}
	_, err := h.Activate(t.Context(), request)
	var failed *VerifyError
	if !errors.As(err, &failed) || strings.Contains(err.Error(), canary) || !strings.Contains(err.Error(), "says no to [redacted]") {
		t.Errorf("got %v", err)
	}
	if a, s := count(t, h, "activations"), count(t, h, "secrets"); a != 0 || s != 0 || h.launched() != 0 {
		t.Errorf("%d activations, %d secrets, %d starts came of a failed check", a, s, h.launched())
	}
	verdict = `{"ok": true}`
	if _, err := h.Activate(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	verdict = `{"ok": false}`
	request.Set["HOST"] = "other"
	if _, err := h.Activate(t.Context(), request); err == nil {
		t.Error("a bad edit was taken")
	}
	if h.launched() != 1 || h.last().plan.Values["HOST"] != "h" {
		t.Error("a bad edit touched what ran")
	}
}

func TestDependenciesFail(t *testing.T) {
	h := newHouse(t)
	defer h.close()
	h.ensure = func() error { return errors.New("cannot install the dependencies of notes: the registry is down") }
	if _, err := h.Activate(t.Context(), Request{Member: "ann", Connector: "notes"}); err == nil || !strings.Contains(err.Error(), "registry is down") {
		t.Errorf("got %v", err)
	}
	if count(t, h, "activations") != 0 {
		t.Error("it is remembered")
	}
}

// A new release demands more than was given: it does not run, and says what is
// missing; given that, it runs.
func TestPendingSetup(t *testing.T) {
	h := newHouse(t)
	defer h.close()
	h.activate()
	h.offer(manifest.Release{ID: "notes", Env: mailForm[:1]})
	if err := h.Restart(t.Context(), "ann", "notes"); err == nil || !strings.Contains(err.Error(), "HOST is required") {
		t.Errorf("got %v", err)
	}
	all, err := h.Activations(t.Context(), "ann")
	if err != nil || all[0].State != activations.PendingSetup || all[0].AuthState != "pending" || !strings.Contains(all[0].Reason, "HOST is required") {
		t.Errorf("got %+v (%v)", all, err)
	}
	if act := h.activate("HOST=h"); act.State != activations.Ready {
		t.Errorf("got %+v", act)
	}
}

// A new daemon brings back every activation, and lists its tools before it runs.
func TestRestore(t *testing.T) {
	h := newHouse(t)
	defer func() { h.close() }()
	h.activate()
	h.close()
	h.script = func(ctx context.Context, a *actor) error { <-ctx.Done(); return ctx.Err() }
	h.open()
	if tools, err := h.Tools(t.Context(), "ann"); err != nil || len(tools) != 1 {
		t.Errorf("before it runs it has %v (%v)", tools, err)
	}
	h.close()
	h.script = nil
	h.open()
	if _, err := h.add(); err != nil {
		t.Error(err)
	}
}

// Deactivated and activated again: another number, the same uid, because what it
// kept belongs to that one.
func TestActivateAgain(t *testing.T) {
	h := newHouse(t)
	defer h.close()
	h.activate()
	uid := h.last().plan.UID
	if err := h.Deactivate(t.Context(), "ann", "notes"); err != nil {
		t.Fatal(err)
	}
	if tools, err := h.Tools(t.Context(), "ann"); err != nil || len(tools) != 0 || len(h.Status()) != 0 {
		t.Errorf("left: %v (%v)", tools, err)
	}
	if act := h.activate(); act.Number != 2 || h.last().plan.UID != uid {
		t.Errorf("activation %d runs as %d, before that as %d", act.Number, h.last().plan.UID, uid)
	}
}

func TestIdentify(t *testing.T) {
	h := newHouse(t)
	defer h.close()
	uid := 4711
	if err := h.AddMember(t.Context(), Member{Name: "bob", UID: &uid}); err != nil {
		t.Fatal(err)
	}
	for uid, want := range map[int]Caller{
		0:            {UID: 0, Admin: true},
		os.Geteuid(): {UID: os.Geteuid(), Admin: true},
		4711:         {UID: 4711, Member: "bob"},
		4712:         {UID: 4712},
	} {
		if got, err := h.Identify(t.Context(), uid); err != nil || got != want {
			t.Errorf("uid %d is %+v (%v), want %+v", uid, got, err, want)
		}
	}
}

func TestPeopleProblems(t *testing.T) {
	h := newHouse(t)
	defer h.close()
	for _, uid := range []int{-1, 1<<32 - 1} {
		var invalid *Invalid
		if err := h.AddMember(t.Context(), Member{Name: "bob", UID: &uid}); !errors.As(err, &invalid) {
			t.Errorf("uid %d: got %v", uid, err)
		}
	}
	for _, name := range []string{"", "two\nlines", strings.Repeat("x", 65)} {
		var invalid *Invalid
		if _, _, err := h.CreateToken(t.Context(), "ann", name); !errors.As(err, &invalid) {
			t.Errorf("token %q: got %v", name, err)
		}
	}
}

// Where no log file can be made the connector runs all the same.
func TestLogsAreBestEffort(t *testing.T) {
	h := newHouse(t)
	defer h.close()
	if err := os.WriteFile(filepath.Join(h.dir, "logs"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h.activate()
	if _, err := h.add(); err != nil {
		t.Error(err)
	}
}
