package cgroup

import (
	"os"
	"path/filepath"
	"testing"
)

// The two writes that switch a controller on, and what is said when it is not there to be switched. The kernel's side of it is tested where
// cgroup2 has controllers.
func TestEnable(t *testing.T) {
	own := place{mount: t.TempDir(), group: "/service"}
	if err := os.Mkdir(own.dir(), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(own.dir(), "cgroup.controllers"), []byte("cpu memory\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	v, err := newUnified(place{mount: own.mount, group: "/service/majordomo-1/" + leaf}, "majordomo-1")
	if err != nil {
		t.Fatal(err)
	}
	if v.own != own {
		t.Errorf("a daemon in the leaf stands in %v, want %v", v.own, own)
	}
	for _, dir := range []string{own.dir(), v.dir("")} {
		if err := os.WriteFile(filepath.Join(dir, "cgroup.subtree_control"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := v.enable("memory"); err != nil {
		t.Error(err)
	}
	for _, dir := range []string{own.dir(), v.dir("")} {
		if b, _ := os.ReadFile(filepath.Join(dir, "cgroup.subtree_control")); string(b) != "+memory" {
			t.Errorf("%s holds %q", dir, b)
		}
	}
	const want = "the controller pids is not delegated to /service"
	if err := v.enable("pids"); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
