package activations_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"majordomo/configs/database"
	"majordomo/sandbox/egress"
	"majordomo/supervisor/activations"
	"majordomo/supervisor/members"
)

func open(t *testing.T) (*activations.Activations, *sql.DB) {
	t.Helper()
	db, err := database.Open(filepath.Join(t.TempDir(), "majordomo.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	m, err := members.New(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Add(t.Context(), members.Member{Name: "ann"}); err != nil {
		t.Fatal(err)
	}
	a, err := activations.New(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return a, db
}

func TestLife(t *testing.T) {
	a, db := open(t)
	want := activations.Activation{
		Member: "ann", Connector: "mail", Name: "mail", UID: 5000, GID: 5001,
		Config: map[string]string{"HOST": "imap.example", "EMPTY": ""}, State: activations.PendingLogin, Reason: "scan the code",
		Tools:  []byte("[]"),
		Egress: egress.Policy{Mode: egress.List, Hosts: []string{"imap.example:993"}, AllowPrivate: []string{"nas.lan:445"}},
	}
	var err error
	if want.Number, err = a.Put(t.Context(), db, want); err != nil {
		t.Fatal(err)
	}
	check := func() {
		t.Helper()
		got, err := a.Get(t.Context(), "ann", "mail")
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	}
	check()

	// Changed: values replace, what identifies it stays.
	change := want
	change.UID, change.GID, change.Name = 1, 1, "other"
	change.Config, change.State, change.Reason = nil, activations.Ready, ""
	number, err := a.Put(t.Context(), db, change)
	if err != nil || number != want.Number {
		t.Fatalf("got number %d (%v), want %d", number, err, want.Number)
	}
	want.Config, want.State, want.Reason = nil, activations.Ready, ""
	check()

	if err := errors.Join(
		a.SetState(t.Context(), number, activations.Error, "it is broken"),
		a.SetTools(t.Context(), number, []byte(`[{"name":"x"}]`)),
	); err != nil {
		t.Fatal(err)
	}
	want.State, want.Reason, want.Tools = activations.Error, "it is broken", []byte(`[{"name":"x"}]`)
	check()
	if all, err := a.List(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("got %v (%v)", all, err)
	}

	if err := a.Delete(t.Context(), db, number); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Get(t.Context(), "ann", "mail"); !errors.Is(err, activations.ErrUnknown) {
		t.Errorf("still there: %v", err)
	}
	again, err := a.Put(t.Context(), db, want)
	if err != nil || again <= number {
		t.Errorf("number %d after %d (%v): numbers are never reused", again, number, err)
	}
}

func TestRefusedByTheTable(t *testing.T) {
	a, db := open(t)
	for name, bad := range map[string]activations.Activation{
		"unknown member": {Member: "eve", Connector: "mail", Name: "mail", State: activations.Ready},
		"unknown state":  {Member: "ann", Connector: "mail", Name: "mail", State: "perhaps"},
	} {
		if _, err := a.Put(t.Context(), db, bad); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

func TestNameOf(t *testing.T) {
	rule := regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,31}$`)
	long := strings.Repeat("a", 64)
	seen := map[string]string{}
	for _, c := range []struct{ id, want string }{
		{"notes", "notes"},
		{"my_conn-2", "my_conn-2"},
		{long[:32], long[:32]},
		{"a.b", ""}, // not a legal name: only the rule is checked
		{"a_b", "a_b"},
		{long, ""},
		{long[:63] + "b", ""}, // differs in its last character only
	} {
		got := activations.NameOf(c.id)
		if !rule.MatchString(got) || c.want != "" && got != c.want {
			t.Errorf("NameOf(%q) = %q, want %q", c.id, got, c.want)
		}
		if other, ok := seen[got]; ok {
			t.Errorf("%q and %q are both called %q", c.id, other, got)
		}
		seen[got] = c.id
	}
}
