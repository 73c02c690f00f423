package sandbox

import (
	"os"
	"path/filepath"

	"majordomo/sandbox/initproc"
	"majordomo/sandbox/selftest"
)

// InitMain turns the calling program into a sandbox's init, or into what tests one from inside (SelfTest), when it was started as that, and
// then never returns. Every program
// that opens a Host without a majordomo-init beside it calls InitMain first thing in main; a test does in TestMain.
func InitMain() {
	if len(os.Args) > 0 && os.Args[0] == initproc.Name {
		initproc.Main()
	}
	if len(os.Args) == 3 && os.Args[1] == selftest.Name {
		selftest.Main(os.Args[2])
	}
}

// findInit chooses what to execute as init: majordomo-init beside the running program, and where it is not there the program itself, which
// does, 2 ms slower and with more memory.
func findInit() string {
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), initproc.Name)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return beside
		}
	}
	return "/proc/self/exe"
}
