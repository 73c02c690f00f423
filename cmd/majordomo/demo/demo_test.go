package demo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// The test binary is also the daemon, where a test wants one that goes wrong.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "serve" {
		fmt.Println("cannot open the sandbox host: this kernel has no namespaces")
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// A daemon that does not come up is one clear failure, with its own words, and leaves nothing behind.
func TestDaemonDoesNotStart(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	var out bytes.Buffer
	err := Run(t.Context(), Options{JSON: true, Serve: true, Out: &out, Err: t.Output()})
	if !errors.Is(err, ErrFailed) {
		t.Fatalf("Run: %v", err)
	}
	var r Report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatalf("the report is no JSON: %v\n%s", err, out.String())
	}
	if r.OK || len(r.Steps) != 1 || !strings.Contains(r.Steps[0].Error, "this kernel has no namespaces") {
		t.Errorf("the report is %+v", r)
	}
	left, err := os.ReadDir(tmp)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}

func TestNoRoomForTheDemo(t *testing.T) {
	t.Setenv("TMPDIR", "/proc/none")
	err := Run(t.Context(), Options{Out: t.Output(), Err: t.Output()})
	if err == nil || errors.Is(err, ErrFailed) || !strings.Contains(err.Error(), "cannot begin the demo") {
		t.Errorf("Run: %v", err)
	}
}
