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

// program is what is executed as init: majordomo-init beside the running program, and where it is not there the program itself, which
// does, 2 ms slower and with more memory.
type program struct {
	beside string
	found  os.FileInfo // nil = there was none
}

func findInit() program {
	here, err := os.Executable()
	if err != nil {
		return program{}
	}
	beside := filepath.Join(filepath.Dir(here), initproc.Name)
	info, err := os.Stat(beside)
	if err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
		return program{}
	}
	return program{beside, info}
}

// path is what to execute now. An upgrade replaces the file while this daemon runs on; what lies there then is of another version, and
// need not understand this one.
func (p program) path() string {
	if p.found != nil {
		now, err := os.Stat(p.beside)
		if err == nil && os.SameFile(now, p.found) && now.Size() == p.found.Size() && now.ModTime().Equal(p.found.ModTime()) {
			return p.beside
		}
	}
	return self
}

// self is the running program, for whoever opens it: a path that another process follows to a program of its own.
const self = "/proc/self/exe"
