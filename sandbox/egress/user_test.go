package egress

import (
	"testing"

	"majordomo/sandbox/sandboxtest"
)

// An ordinary user's namespace is prepared and served as root's is: the other tests run once more, without privileges.
func TestAsOrdinaryUser(t *testing.T) {
	sandboxtest.OnlyRoot(t)
	sandboxtest.AsUser(t, "-test.run", "Programs|Grants|None|Hostile|List")
}
