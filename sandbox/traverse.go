package sandbox

import (
	"fmt"
	"os"
	"path/filepath"

	"majordomo/sandbox/acl"
)

// A connector that runs in the host's tree with a uid of its own has to pass through the state directory, which is closed to all but the
// daemon. An access list lets that one uid pass through each directory on its way, and neither list nor read it.

// grantTraverse lets the Spec's uid pass to everything it may open below the state directory.
func (h *Host) grantTraverse(t *hostTree) error {
	if os.Geteuid() != 0 || t.spec.UID == 0 {
		return nil // it is the daemon's own uid, which may
	}
	state, err := filepath.Abs(h.options.StateDir)
	if err != nil {
		return err
	}
	ends := []string{t.scratch}
	for _, m := range t.spec.Mounts {
		ends = append(ends, filepath.Dir(m.hostSource()))
	}
	for dir := filepath.Dir(state); ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err != nil || info.Mode()&0o001 == 0 {
			return fmt.Errorf("uid %d cannot pass through %s: chmod o+x it, or put the state directory elsewhere", t.spec.UID, dir)
		}
		if dir == "/" {
			break
		}
	}
	done := map[string]bool{}
	for _, end := range ends {
		for dir := filepath.Clean(end); within(dir, state) && !done[dir]; dir = filepath.Dir(dir) {
			done[dir] = true
			if err := acl.AllowTraverse(dir, t.spec.UID); err != nil {
				return fmt.Errorf("cannot let uid %d pass through %s: %w", t.spec.UID, dir, err)
			}
		}
	}
	return nil
}
