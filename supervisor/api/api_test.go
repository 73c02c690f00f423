package api

import (
	"errors"
	"fmt"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"majordomo/configs"
	"majordomo/configs/manifest"
	"majordomo/install"
	"majordomo/install/feed"
	"majordomo/supervisor"
)

// askEnv makes the test binary a client: it tries the doors of a socket, see peer_test.go.
const askEnv = "MAJORDOMO_TEST_ASK"

func TestMain(m *testing.M) {
	if socket := os.Getenv(askEnv); socket != "" {
		tryDoors(NewClient(socket))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestWhoMay(t *testing.T) {
	var (
		nobody = supervisor.Caller{UID: 1234}
		ann    = supervisor.Caller{UID: 1000, Member: "ann"}
		admin  = supervisor.Caller{UID: 1001, Member: "eve", Admin: true}
		root   = supervisor.Caller{UID: 0, Admin: true}
	)
	for _, tt := range []struct {
		may    access
		caller supervisor.Caller
		want   string // "" = permitted
	}{
		{anyone, nobody, ""}, {anyone, ann, ""}, {anyone, root, ""},
		{members, nobody, "majordomo member add NAME --uid 1234"}, {members, ann, ""}, {members, root, ""},
		{admins, nobody, "user 1234 of this machine is no member"}, {admins, ann, "cannot do this for ann: only an admin may"},
		{admins, admin, ""}, {admins, root, ""},
	} {
		err := tt.may.permit(tt.caller)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("access %d for %+v: got %v, want %q", tt.may, tt.caller, err, tt.want)
		}
	}
}

// What may be asked by whom is written here a second time, so that a slip in the table is seen.
func TestRoutes(t *testing.T) {
	open, forAdmins := []string{}, []string{}
	for _, r := range routes() {
		switch r.may {
		case anyone:
			open = append(open, r.pattern)
		case admins:
			forAdmins = append(forAdmins, r.pattern)
		}
	}
	if got := strings.Join(open, ", "); got != "GET /v1/version" {
		t.Errorf("open to everybody: %s", got)
	}
	if got := strings.Join(forAdmins, ", "); got != "POST /v1/packages/{id}, GET /v1/packages/{id}/plan, POST /v1/packages/{id}/rollback, DELETE /v1/packages/{id}, POST /v1/gc, POST /v1/members" {
		t.Errorf("for admins only: %s", got)
	}
}

// A member acts for themselves, and for nobody else by naming them.
func TestMember(t *testing.T) {
	s := &Server{}
	for _, tt := range []struct {
		name   string
		caller supervisor.Caller
		named  string
		want   string
		kind   Kind
	}{
		{"own, unnamed", supervisor.Caller{Member: "ann"}, "", "ann", ""},
		{"own, named", supervisor.Caller{Member: "ann"}, "ann", "ann", ""},
		{"another's", supervisor.Caller{Member: "ann"}, "bob", "", Refused},
		{"admin for another", supervisor.Caller{Member: "eve", Admin: true}, "bob", "bob", ""},
		{"admin who is a member, unnamed", supervisor.Caller{Member: "eve", Admin: true}, "", "eve", ""},
		{"root for another", supervisor.Caller{Admin: true}, "bob", "bob", ""},
	} {
		got, err := s.member(&request{caller: tt.caller}, tt.named)
		if got != tt.want || (err != nil) != (tt.kind != "") || err != nil && asError(err).Kind != tt.kind {
			t.Errorf("%s: got %q, %v", tt.name, got, err)
		}
	}
}

func TestOnlyMember(t *testing.T) {
	ann, bob := supervisor.Member{Name: "ann"}, supervisor.Member{Name: "bob"}
	if got, err := onlyOne([]supervisor.Member{ann}); got != "ann" || err != nil {
		t.Errorf("one member: %q, %v", got, err)
	}
	for _, tt := range []struct {
		all  []supervisor.Member
		want string
	}{
		{nil, "majordomo member add NAME"},
		{[]supervisor.Member{ann, bob}, "say --member with one of ann, bob"},
	} {
		if _, err := onlyOne(tt.all); err == nil || asError(err).Kind != Usage || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: %v", tt.all, err)
		}
	}
}

func TestKinds(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want Kind
	}{
		{errors.New("cannot x"), Failed},
		{&supervisor.Unavailable{}, Failed},
		{&supervisor.Invalid{}, Usage},
		{&supervisor.NotFound{}, NotFound},
		{&install.NotInstalledError{}, NotFound},
		{&feed.NotOfferedError{}, NotFound},
		{&manifest.Refusal{}, Refused},
		{fmt.Errorf("deeper: %w", &manifest.Refusal{}), Refused},
		{&install.WiderError{}, Wider},
		{&supervisor.UpdateError{Causes: &manifest.Refusal{}}, Failed},
		{Errorf(Usage, "x"), Usage},
	} {
		if got := asError(tt.err); got.Kind != tt.want || got.Message != tt.err.Error() {
			t.Errorf("%T: %+v, want %s", tt.err, got, tt.want)
		}
	}
}

func TestStream(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"result", nil, ""},
		{"error", &manifest.Refusal{What: "install x", Why: "no"}, "cannot install x: no"},
	} {
		w := httptest.NewRecorder()
		stream(w, alone, func(report func(Progress)) (Package, error) {
			report(Progress{Phase: "plan"})
			report(Progress{Phase: "download", Bytes: 1})
			return Package{ID: "x"}, tt.err
		})
		if lines := strings.Count(w.Body.String(), "\n"); lines != 3 {
			t.Errorf("%s: %d lines, want 3", tt.name, lines)
		}
		var phases []string
		p, err := follow[Progress, Package](w.Body, func(p Progress) { phases = append(phases, p.Phase) })
		if strings.Join(phases, " ") != "plan download" {
			t.Errorf("%s: phases %v", tt.name, phases)
		}
		if tt.err == nil && (err != nil || p.ID != "x") || tt.err != nil && (err == nil || asError(err).Kind != Refused || err.Error() != tt.want) {
			t.Errorf("%s: %+v, %v", tt.name, p, err)
		}
	}
	// The daemon died before the last line.
	if _, err := follow[Progress, Package](strings.NewReader("{\"item\":{}}\n"), nil); err == nil {
		t.Error("a stream without a result was taken for one with")
	}
}

func TestNotRunning(t *testing.T) {
	dir := t.TempDir()
	dead := filepath.Join(dir, "dead")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: dead, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	for name, socket := range map[string]string{
		"no socket": filepath.Join(dir, "none"), "a dead daemon's socket": dead, "no socket can be there": filepath.Join(dir, strings.Repeat("x", 120)),
	} {
		_, err := NewClient(socket).Version(t.Context())
		down, ok := errors.AsType[*NotRunning](err)
		if !ok || down.Socket != socket {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Another user's daemon is no failure but a refusal, and says so.
func TestNotOurs(t *testing.T) {
	got, ok := errors.AsType[*Error](dialError("/s", &net.OpError{Op: "dial", Err: unix.EACCES}))
	if !ok || got.Kind != Refused || !strings.Contains(got.Message, "another user's") {
		t.Errorf("got %v", got)
	}
}

// The socket belongs to its owner from the first instant, replaces a dead one, and goes when it is closed.
func TestListen(t *testing.T) {
	p := configs.Paths{State: t.TempDir()}
	for range 2 {
		l, err := Listen(p)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(p.Socket())
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("socket has mode %v (%v)", info.Mode(), err)
		}
		l.(named).UnixListener.Close() // as a daemon that dies: the name stays
	}
	l, err := Listen(p)
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if left, _ := os.ReadDir(p.State); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	long := configs.Paths{State: filepath.Join(t.TempDir(), strings.Repeat("x", 100))}
	if _, err := Listen(long); err == nil || !strings.Contains(err.Error(), "use a shorter --state") {
		t.Errorf("a path the kernel cannot take: %v", err)
	}
}

// Without peer credentials nobody gets in.
func TestNoPeer(t *testing.T) {
	if _, err := peerUID(withPeer(t.Context(), &net.TCPConn{})); err == nil || asError(err).Kind != Refused {
		t.Errorf("got %v, want a refusal", err)
	}
}

// Who may use the household's own network is not for each member to say.
func TestOnlyAdminsGrantPrivateAddresses(t *testing.T) {
	ann, eve := supervisor.Caller{UID: 1000, Member: "ann"}, supervisor.Caller{UID: 1001, Member: "eve", Admin: true}
	for _, tt := range []struct {
		who   supervisor.Caller
		asked []string
		want  []string
		ok    bool
	}{
		{ann, nil, nil, true},
		{ann, []string{"nas.lan:445"}, nil, false},
		{eve, []string{"nas.lan:445"}, []string{"nas.lan:445"}, true},
		{eve, []string{"none"}, []string{}, true},
	} {
		got, err := privately(&request{caller: tt.who}, tt.asked)
		if (err == nil) != tt.ok || (got == nil) != (tt.want == nil) || !slices.Equal(got, tt.want) {
			t.Errorf("%+v asks for %v: %v, %v", tt.who, tt.asked, got, err)
		}
	}
}
