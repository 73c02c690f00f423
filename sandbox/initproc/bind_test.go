package initproc

import "testing"

// Only where nobody else can have put anything is a plain path walked.
func TestOursAlone(t *testing.T) {
	v := View{
		Tmpfs: []Tmpfs{{Path: "/"}, {Path: "/root"}},
		Links: []Link{{Path: "/var/tmp", To: "/tmp"}},
		Binds: []Bind{{Target: "/etc/ssl"}, {Target: "/data"}, {Target: "/data/more"}},
	}
	for target, want := range map[string]bool{
		"/data": true, "/data2": true, "/data/more": false, "/data/more/yet": false, "/etc/ssl": true, "/etc/ssl/certs": false,
		"/etc/services": true, "/root": true, "/root/.cache": false, "/var/tmp": true, "/var/tmp/x": false, "/opt/a/b": true,
	} {
		if got := v.oursAlone(target); got != want {
			t.Errorf("%s: %v, not %v", target, got, want)
		}
	}
}
