package deps

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"majordomo/sandbox/sandboxtest"
)

func TestMain(m *testing.M) {
	if err := sandboxtest.BuildInit(); err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
	code := m.Run()
	if err := goleak.Find(); code == 0 && err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		code = 1
	}
	os.Exit(code)
}
