package delivery

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
	goleak.VerifyTestMain(m)
}
