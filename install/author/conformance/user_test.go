package conformance_test

import (
	"testing"

	"majordomo/sandbox/sandboxtest"
)

// Authors are ordinary users: a few of the tests once more with the uid of somebody who has no privileges.
func TestAsOrdinaryUser(t *testing.T) {
	sandboxtest.OnlyRoot(t)
	sandboxtest.AsUser(t, "-test.run", "^TestFaults$/^(good|exit_3|qr)$")
}
