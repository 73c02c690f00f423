package sandbox

import (
	"os/exec"
	"testing"
)

// What the sandbox adds is the difference of the two.
func BenchmarkStart(b *testing.B) {
	h := openHost(b)
	for b.Loop() {
		p, err := h.Start(b.Context(), connector("cat"))
		if err != nil {
			b.Fatal(err)
		}
		end(p)
	}
}

func BenchmarkPlainExec(b *testing.B) {
	for b.Loop() {
		if err := exec.Command("/usr/bin/true").Run(); err != nil {
			b.Fatal(err)
		}
	}
}
