package conformance_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// Authors are ordinary users: a few of the tests once more with the uid of somebody who has no privileges.
func TestAsOrdinaryUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("not root: the other tests are it")
	}
	const uid = 4001
	dir, err := os.MkdirTemp("", "conformance-user-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for from, name := range map[string]string{self: "conformance.test", filepath.Join(filepath.Dir(self), "majordomo-init"): "majordomo-init"} {
		program, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), program, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chown(dir, uid, uid); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(dir, "conformance.test"), "-test.run", "^TestFaults$/^(good|exit_3|qr)$")
	cmd.Dir = dir
	cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + dir, "TMPDIR=" + dir}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
