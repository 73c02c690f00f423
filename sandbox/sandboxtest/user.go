package sandboxtest

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// User is the uid, and the gid, of somebody who has no privileges and no account.
const User = 4001

// AsUser runs the calling test program once more as User, with arguments such as -test.run, and fails where that fails. A test that
// is nothing but this begins with OnlyRoot.
func AsUser(t testing.TB, args ...string) {
	t.Helper()
	program, home := Copy(t, User)
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = home, Environ(home)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: User, Gid: User}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// OnlyRoot skips a test that runs others once more for whoever has no other uid to give.
func OnlyRoot(t testing.TB) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skipf("%s skipped: it needs root, and without root the other tests are it", t.Name())
	}
}

// Environ is a small environment with this home. A program under the race detector would wait a second at its end otherwise.
func Environ(home string) []string {
	return []string{"PATH=/usr/bin:/bin", "HOME=" + home, "TMPDIR=" + home, "GORACE=atexit_sleep_ms=0"}
}

// Copy puts the test program, and its init where there is one, where everybody can run them, beside a home that belongs to uid, and that all can pass through. All
// of it goes with the test.
func Copy(t testing.TB, uid int) (program, home string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimSuffix(filepath.Base(self), ".test")
	dir, err := os.MkdirTemp("", name+"-") // t.TempDir is below a directory that only we can enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	program, home = filepath.Join(dir, name+".test"), filepath.Join(dir, "home")
	err = copyProgram("/proc/self/exe", program)
	if at := filepath.Join(filepath.Dir(self), initName); err == nil {
		if err = copyProgram(at, filepath.Join(dir, initName)); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	if err = errors.Join(err, os.Chmod(dir, 0o755), os.Mkdir(home, 0o755)); err == nil && uid != os.Geteuid() {
		err = os.Chown(home, uid, uid)
	}
	if err != nil {
		t.Fatal(err)
	}
	return program, home
}

func copyProgram(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
