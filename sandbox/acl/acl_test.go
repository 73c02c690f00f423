package acl

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// as runs a shell line as a uid, and reports whether it ended well.
func as(t *testing.T, uid uint32, line string) bool {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", line)
	cmd.Dir, cmd.SysProcAttr = "/", &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	out, err := cmd.CombinedOutput()
	if err != nil && !strings.Contains(string(out), "ermission denied") {
		t.Errorf("%s: %v: %s", line, err, out)
	}
	return err == nil
}

// The uid passes through and does nothing else there; another uid is as shut out as before, and so is the group.
func TestAllowTraverse(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skipf("%s skipped: it needs root", t.Name())
	}
	base, err := os.MkdirTemp("", "acl-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	closed := filepath.Join(base, "closed")
	for _, err := range []error{os.Chmod(base, 0o755), os.Mkdir(closed, 0o700), os.WriteFile(closed+"/file", []byte("x"), 0o644), os.Chown(closed, 0, 4002)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	const cat, list, write = "cat $D/file >/dev/null", "ls $D", ": >$D/new"
	t.Setenv("D", closed)
	if as(t, 4001, cat) {
		t.Fatal("it is not closed")
	}
	for range 2 { // the second time changes nothing
		if err := AllowTraverse(closed, 4001); err != nil {
			t.Skipf("%s skipped: %v", t.Name(), err)
		}
	}
	if !as(t, 4001, cat) {
		t.Error("the uid cannot pass")
	}
	for _, forbidden := range []struct {
		uid  uint32
		line string
	}{{4001, list}, {4001, write}, {4002, cat}, {4003, cat}} {
		if as(t, forbidden.uid, forbidden.line) {
			t.Errorf("uid %d may %s", forbidden.uid, forbidden.line)
		}
	}
}

func TestRefusesLinks(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink("/", link); err != nil {
		t.Fatal(err)
	}
	if err := AllowTraverse(link, 4001); err == nil {
		t.Error("it followed a link")
	}
}
