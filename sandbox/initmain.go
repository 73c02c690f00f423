package sandbox

import (
	"os"
	"path/filepath"

	"majordomo/sandbox/initproc"
)

// InitMain turns the calling program into a sandbox's init when it was started as one, and then never returns. Every program
// that opens a Host without a majordomo-init beside it calls InitMain first thing in main; a test does in TestMain.
func InitMain() {
	if len(os.Args) > 0 && os.Args[0] == initproc.Name {
		initproc.Main()
	}
}

// findInit chooses what to execute as init. The program itself does, 2 ms slower and with more memory.
func findInit(path string) string {
	if path != "" {
		return path
	}
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), initproc.Name)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return beside
		}
	}
	return "/proc/self/exe"
}
