package sandbox

import (
	"os"

	"majordomo/sandbox/initproc"
)

// InitMain turns the calling program into a sandbox's init when it was started as one, and then never returns. Every program
// that opens a Host without a majordomo-init beside it calls InitMain first thing in main; a test does in TestMain.
func InitMain() {
	if len(os.Args) > 0 && os.Args[0] == initproc.Name {
		initproc.Main()
	}
}
