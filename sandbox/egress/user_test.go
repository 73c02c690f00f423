package egress

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// An ordinary user's namespace is prepared and served as root's is: the other tests run once more, without privileges.
func TestAsOrdinaryUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("not root: the other tests are it")
	}
	dir, err := os.MkdirTemp("", "egress-user-") // t.TempDir is below a directory that only we can enter
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	const uid = 4001
	if err := os.Chown(dir, uid, uid); err != nil {
		t.Fatal(err)
	}
	self := filepath.Join(dir, "egress.test")
	copyProgram(t, self)
	cmd := exec.Command(self, "-test.run", "Programs|Grants|None|Hostile|List")
	cmd.Dir = dir
	cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + dir, "TMPDIR=" + dir, "GORACE=atexit_sleep_ms=0"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func copyProgram(t *testing.T, to string) {
	t.Helper()
	in, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}
