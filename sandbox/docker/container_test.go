package docker

import "testing"

// What an Engine of Debian's package says on a kernel with AppArmor, where the package apparmor was left out.
func TestStartFix(t *testing.T) {
	said := "Error response from daemon: AppArmor enabled on system but the docker-default profile could not be loaded: running " +
		"`apparmor_parser apparmor_parser --version` failed with output: \nerror: exec: \"apparmor_parser\": executable file not found in $PATH"
	if got := startFix(said); got != "install the package apparmor on this host" {
		t.Errorf("it says %q", got)
	}
	if got := startFix("Error response from daemon: no space left on device"); got != "" {
		t.Errorf("it says %q", got)
	}
}
