package sandbox

import (
	"testing"

	"majordomo/sandbox/sandboxtest"
)

// TestAsOrdinaryUser runs the other tests once more with the uid of somebody who has no privileges.
func TestAsOrdinaryUser(t *testing.T) {
	sandboxtest.OnlyRoot(t)
	sandboxtest.AsUser(t, "-test.short")
}
