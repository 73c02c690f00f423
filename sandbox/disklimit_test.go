package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// counted is a Spec whose own directory has a limit.
func counted(t *testing.T, script string) (s Spec, dir string) {
	t.Helper()
	dir = memberDir(t)
	s = shell(script)
	s.Dir, s.Limits.Disk = "/root/.skald/mcp/x", 1<<20
	s.Mounts = []Mount{{Source: ".", Beneath: dir, Target: s.Dir, Writable: true, Counted: true}}
	return s, dir
}

// A connector that has too much is stopped, and then not started again until somebody has made room.
func TestDiskLimit(t *testing.T) {
	h := openHost(t)
	s, dir := counted(t, `head -c 20000000 /dev/zero >big; sleep 1000`)
	p := start(t, h, s)
	<-p.Done() // by the watchdog
	if exit := p.Exit(); !strings.Contains(exit.Disk, "limits.disk") || exit.Signal != "SIGKILL" {
		t.Errorf("%+v", exit)
	}
	s.Argv = []string{"true"}
	_, err := h.Start(t.Context(), s)
	if failed, ok := errors.AsType[*StartError](err); !ok || failed.Layer != Disk || !strings.Contains(failed.Fix, dir) {
		t.Errorf("error %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "big")); err != nil {
		t.Fatal(err)
	}
	succeed(t, h, s)
}

func TestDiskReport(t *testing.T) {
	h := openHost(t)
	s, _ := counted(t, "cat")
	if r := start(t, h, s).Report(); !r.Has(Disk) || r.Notes[Disk] == "" {
		t.Errorf("%+v", r)
	}
	s.Limits.Disk = Unwatched
	if r := start(t, h, s).Report(); !r.Has(Disk) || r.Notes[Disk] != byCaller {
		t.Errorf("%+v", r)
	}
	s.Limits.Disk = 0
	if r := start(t, h, s).Report(); r.Has(Disk) {
		t.Errorf("%+v", r)
	}
}
