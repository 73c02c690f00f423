package deps

import (
	"testing"

	"majordomo/sandbox/sandboxtest"
)

func TestMain(m *testing.M) { sandboxtest.Main(m) }
