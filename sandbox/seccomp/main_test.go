package seccomp

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"majordomo/sandbox/seccomp/load"
)

// A filter cannot be taken off: what runs under it is this test binary again, told by its first argument what to do.
const (
	modeExec    = "under-filter-exec"      // load the filter, then become the program in the arguments
	modeAttempt = "under-filter-attempt"   // load the filter, make the attempt named, print its errno
	modeControl = "without-filter-attempt" // the same without the filter
)

func TestMain(m *testing.M) {
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case modeExec:
			confine()
			fatal(syscall.Exec(os.Args[2], os.Args[2:], os.Environ()))
		case modeAttempt:
			confine()
			fmt.Print(int(attempts[os.Args[2]].do()))
			os.Exit(0)
		case modeControl:
			fmt.Print(int(attempts[os.Args[2]].do()))
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

func confine() {
	runtime.LockOSThread()
	fatal(unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
	program, err := Program(Ban{})
	fatal(err)
	fatal(load.Filter(program))
}

func fatal(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(99)
	}
}

// again runs this binary in a mode and returns what it printed.
func again(t *testing.T, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("/proc/self/exe", args...)
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0") // or the race detector lingers a second in each child
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}
