package deps

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"majordomo/sandbox"
)

// The test binary is also the init of the sandboxes it starts.
func TestMain(m *testing.M) {
	sandbox.InitMain()
	code := m.Run()
	if err := goleak.Find(); code == 0 && err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		code = 1
	}
	os.Exit(code)
}
