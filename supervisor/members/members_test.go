package members_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"majordomo/configs/database"
	"majordomo/supervisor/members"
)

func open(t *testing.T) (*members.Members, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "majordomo.db")
	db, err := database.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	m, err := members.New(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return m, path
}

func TestAdd(t *testing.T) {
	m, _ := open(t)
	uid := func(n int) *int { return &n }
	for _, c := range []struct {
		who  members.Member
		want any // type of the error; nil = added
	}{
		{members.Member{Name: "ann", UID: uid(1000), Admin: true}, nil},
		{members.Member{Name: "bob"}, nil},
		{members.Member{Name: "eve"}, nil}, // two people without a uid do not clash
		{members.Member{Name: "0-x_y"}, nil},
		{members.Member{Name: "ann"}, &members.TakenError{}},
		{members.Member{Name: "dan", UID: uid(1000)}, &members.TakenError{}},
		{members.Member{Name: ""}, &members.NameError{}},
		{members.Member{Name: "Ann"}, &members.NameError{}},
		{members.Member{Name: "../ann"}, &members.NameError{}},
		{members.Member{Name: "ann\n"}, &members.NameError{}},
		{members.Member{Name: strings.Repeat("a", 33)}, &members.NameError{}},
	} {
		err := m.Add(t.Context(), c.who)
		var taken *members.TakenError
		var name *members.NameError
		switch c.want.(type) {
		case nil:
			if err != nil {
				t.Errorf("%q: %v", c.who.Name, err)
			}
		case *members.TakenError:
			if !errors.As(err, &taken) || taken.By != "ann" {
				t.Errorf("%q: got %v, want taken by ann", c.who.Name, err)
			}
		case *members.NameError:
			if !errors.As(err, &name) {
				t.Errorf("%q: got %v, want a NameError", c.who.Name, err)
			}
		}
	}
	all, err := m.List(t.Context())
	if err != nil || len(all) != 4 || all[1].Name != "ann" || !all[1].Admin {
		t.Errorf("got %+v (%v)", all, err)
	}
	who, err := m.ByUID(t.Context(), 1000)
	if err != nil || who.Name != "ann" {
		t.Errorf("uid 1000 is %+v (%v)", who, err)
	}
	if _, err := m.ByUID(t.Context(), 1001); !errors.Is(err, members.ErrUnknown) {
		t.Errorf("uid 1001: %v", err)
	}
}

func TestTokens(t *testing.T) {
	m, path := open(t)
	for _, name := range []string{"ann", "bob"} {
		if err := m.Add(t.Context(), members.Member{Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	ann, text, err := m.CreateToken(t.Context(), "ann", "laptop")
	if err != nil {
		t.Fatal(err)
	}
	_, other, err := m.CreateToken(t.Context(), "bob", "laptop")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := m.CreateToken(t.Context(), "eve", "x"); !errors.Is(err, members.ErrUnknown) {
		t.Errorf("a token for nobody: %v", err)
	}
	if who, err := m.MemberOf(t.Context(), text); err != nil || who != "ann" {
		t.Errorf("the token is of %q (%v)", who, err)
	}
	mixed := text[:strings.LastIndex(text, "_")] + other[strings.LastIndex(other, "_"):]
	for _, bad := range []string{"", "x", "mjd__", "mjd_" + ann.ID + "_", text + "x", text[:len(text)-1], strings.ToUpper(text), " " + text, mixed} {
		if who, err := m.MemberOf(t.Context(), bad); !errors.Is(err, members.ErrUnknown) {
			t.Errorf("%q opens for %q (%v)", bad, who, err)
		}
	}
	for _, file := range []string{path, path + "-wal"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte(text[len(text)-43:])) {
			t.Errorf("%s holds the token", file)
		}
	}
	if all, err := m.Tokens(t.Context()); err != nil || len(all) != 2 {
		t.Errorf("got %v (%v)", all, err)
	}
	if err := m.RevokeToken(t.Context(), ann.ID); err != nil {
		t.Fatal(err)
	}
	if err := m.RevokeToken(t.Context(), ann.ID); !errors.Is(err, members.ErrUnknown) {
		t.Errorf("revoked twice: %v", err)
	}
	if _, err := m.MemberOf(t.Context(), text); !errors.Is(err, members.ErrUnknown) {
		t.Errorf("a revoked token still opens: %v", err)
	}
}
