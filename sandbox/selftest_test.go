package sandbox

import (
	"os"
	"testing"

	"majordomo/sandbox/selftest"
)

func TestSelfTest(t *testing.T) {
	t.Setenv("SANDBOX_TEST_CANARY", "of the daemon")
	h := openHost(t)
	checks, err := h.SelfTest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(checks) < 20 {
		t.Errorf("%d attempts", len(checks))
	}
	for _, c := range checks {
		if !c.Held || c.Said == "" {
			t.Errorf("%s: %s: %s", c.Layer, c.Attempt, c.Said)
		}
	}
	if left, _ := os.ReadDir(h.options.StateDir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A test that cannot fail says nothing: without a sandbox almost everything succeeds, and is called by its layer.
func TestSelfTestFails(t *testing.T) {
	h, err := New(Options{StateDir: stateDir(t), Driver: "none", IUnderstand: true})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	var results []selftest.Result
	target, release, err := h.prepareTargets()
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	results = selftest.Try(target)
	permitted := map[string]bool{}
	for _, r := range results {
		permitted[r.Layer] = permitted[r.Layer] || r.Error == ""
	}
	for _, layer := range []string{"env", "no_new_privs", "mount", "pid", "net", "egress", "seccomp"} {
		if !permitted[layer] {
			t.Errorf("nothing of %s succeeds outside a sandbox: %+v", layer, results)
		}
	}
	if checks, err := compare(results[1:], Report{InForce: Layers()}); err != nil || len(checks) == 0 || held(checks) {
		t.Errorf("%+v %v", checks, err)
	}
}

func held(checks []SelfCheck) bool {
	for _, c := range checks {
		if !c.Held {
			return false
		}
	}
	return true
}

func TestInSelfTest(t *testing.T) {
	onlyOn(t, "caps")
	checks, err := openHost(t).SelfTest(t.Context())
	if err != nil || !held(checks) {
		t.Errorf("%+v %v", checks, err)
	}
}
