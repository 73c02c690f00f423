// Package sandboxtest is for the tests of packages that start sandboxes.
//
// A test program can be the init of its sandboxes itself, but under the race detector such an init takes a second to exit. The
// package must never be imported by the product. It starts no goroutine.
package sandboxtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"
)

// initName is what a sandbox.Host looks for beside its own program.
const initName = "majordomo-init"

// Main runs the tests of a package that start sandboxes, with an init of their own, and fails where they leave a goroutine behind.
// It is the whole of a TestMain and does not return.
func Main(m *testing.M) {
	if err := BuildInit(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// BuildInit puts the real majordomo-init beside the running test program, where a sandbox.Host finds it; go test removes both.
// TestMain calls it. It does nothing where there is one.
func BuildInit() error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("cannot build majordomo-init: %w", err)
	}
	path := filepath.Join(filepath.Dir(self), initName)
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	build := exec.Command("go", "build", "-o", path, "majordomo/cmd/majordomo-init")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("cannot build majordomo-init: %w\n%s", err, out)
	}
	return nil
}
