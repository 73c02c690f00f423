package store_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"majordomo/configs"
	"majordomo/supervisor/store"
)

// holdEnv makes the test binary a second daemon: it opens the state directory,
// says so, and waits to be killed.
const holdEnv = "MAJORDOMO_TEST_HOLD_STATE"

func TestMain(m *testing.M) {
	dir := os.Getenv(holdEnv)
	if dir == "" {
		os.Exit(m.Run())
	}
	if _, err := store.Open(configs.Paths{State: dir}); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("open")
	select {}
}

func TestDirectoryIsPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "state")
	if err := os.MkdirAll(dir, 0o755); err != nil { // as a careless admin made it
		t.Fatal(err)
	}
	s, err := store.Open(configs.Paths{State: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	fi, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	if fi.Mode().Perm() != 0o700 {
		t.Errorf("state directory has mode %o", fi.Mode().Perm())
	}
}

func TestStateIsAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for state, want := range map[string]string{
		path:                      "cannot use state directory " + path + ": a part of the path is a file; name another with --state",
		filepath.Join(path, "in"): "cannot use state directory " + path + "/in: " + path + ": a part of the path is a file; name another with --state",
	} {
		if _, err := store.Open(configs.Paths{State: state}); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestReopenAfterClose(t *testing.T) {
	p := configs.Paths{State: t.TempDir()}
	for range 2 {
		s, err := store.Open(p)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Another process holds the directory: we are told which. It is killed: the
// directory is free, whatever its lock file says.
func TestOneOwner(t *testing.T) {
	p := configs.Paths{State: t.TempDir()}
	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), holdEnv+"="+p.State)
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	said := make([]byte, 5)
	if _, err := out.Read(said); err != nil || string(said[:4]) != "open" {
		t.Fatalf("the other process said %q (%v)", said, err)
	}

	_, err = store.Open(p)
	var held *store.HeldError
	if !errors.As(err, &held) || !strings.Contains(held.Holder, fmt.Sprintf("pid %d, started ", other.Process.Pid)) {
		t.Fatalf("got %v, want a HeldError that names pid %d", err, other.Process.Pid)
	}

	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = other.Wait() // it was killed; that is its status
	s, err := store.Open(p)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
}
