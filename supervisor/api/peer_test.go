package api

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"majordomo/configs"
	"majordomo/supervisor"
	"majordomo/supervisor/store"
)

// stranger is a uid that nobody has.
const stranger = 54321

// tryDoors asks what different people may ask and prints what came of it, one word a line.
func tryDoors(c *Client) {
	ctx := context.Background()
	say := func(what string, err error) {
		word := "yes"
		if err != nil {
			word = string(asError(err).Kind)
		}
		fmt.Println(what, word)
	}
	_, err := c.Version(ctx)
	say("version", err)
	_, err = c.Status(ctx)
	say("status", err)
	_, err = c.Tools(ctx, "")
	say("own", err)
	_, err = c.Tools(ctx, "bob")
	say("bob's", err)
	_, err = c.AddMember(ctx, Member{Name: "eve"})
	say("add", err)
}

// A real child process under another uid tries every kind of door of a real core, before and after it is made a member.
// Everybody may come to this socket; only what the kernel says of them tells them apart.
func TestPeers(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("TestPeers skipped: asking as another user needs root")
	}
	dir, socket := openHouse(t)
	ctx, root := t.Context(), NewClient(socket)
	if _, err := root.AddMember(ctx, Member{Name: "bob"}); err != nil {
		t.Fatal(err)
	}
	ask := copySelf(t, dir)
	if got, want := ask(socket), "version yes, status refused, own refused, bob's refused, add refused"; got != want {
		t.Errorf("a stranger: %s\nwant %s", got, want)
	}
	uid := stranger
	if _, err := root.AddMember(ctx, Member{Name: "ann", UID: &uid}); err != nil {
		t.Fatal(err)
	}
	if got, want := ask(socket), "version yes, status yes, own yes, bob's refused, add refused"; got != want {
		t.Errorf("a member: %s\nwant %s", got, want)
	}
	if _, err := root.Tools(ctx, "bob"); err != nil {
		t.Errorf("root: %v", err)
	}
}

// openHouse serves a core without packages on a socket that everybody can reach.
func openHouse(t *testing.T) (dir, socket string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "peers-") // t.TempDir is closed to others
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	paths := configs.Paths{State: filepath.Join(dir, "state")}
	state, err := store.Open(paths)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { state.Close() })
	core, err := supervisor.New(t.Context(), supervisor.Options{Paths: paths, DB: state.DB})
	if err != nil {
		t.Fatal(err)
	}
	socket = filepath.Join(dir, "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]os.FileMode{dir: 0o755, socket: 0o666} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
	}
	server := NewServer(Options{Supervisor: core, Paths: paths})
	served := make(chan error)
	go func() { served <- server.Serve(l) }()
	t.Cleanup(func() {
		if err := server.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return dir, socket
}

// copySelf puts the test binary where another user may run it, and returns how to run it as that user.
func copySelf(t *testing.T, dir string) func(socket string) string {
	t.Helper()
	self, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "ask")
	if err := os.WriteFile(program, self, 0o755); err != nil {
		t.Fatal(err)
	}
	return func(socket string) string {
		cmd := exec.CommandContext(t.Context(), program)
		cmd.Dir, cmd.Env = "/", []string{askEnv + "=" + socket}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: stranger, Gid: stranger}}
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v: %s", err, out.String())
		}
		return strings.ReplaceAll(strings.TrimSpace(out.String()), "\n", ", ")
	}
}
