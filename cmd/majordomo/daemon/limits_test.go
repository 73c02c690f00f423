package daemon

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"majordomo/configs"
	"majordomo/sandbox"
)

// The configuration knows the layers by the names that the sandbox gives them.
func TestLayerNames(t *testing.T) {
	if diff := cmp.Diff(sandbox.Layers(), layers(configs.Layers())); diff != "" {
		t.Errorf("sandbox and configs disagree (-sandbox +configs):\n%s", diff)
	}
}
