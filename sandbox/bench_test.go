package sandbox

import (
	"context"
	"os/exec"
	"testing"
)

func BenchmarkStart(b *testing.B) {
	h, err := New(Options{StateDir: b.TempDir(), InitPath: initPath(b)})
	if err != nil || h.refusal != nil {
		b.Fatal(err, h.refusal)
	}
	defer h.Close()
	for b.Loop() {
		p, err := h.Start(context.Background(), connector("true"))
		if err != nil {
			b.Fatal(err)
		}
		<-p.Done()
		p.Stdin.Close()
		p.Stdout.Close()
		p.Stderr.Close()
	}
}

func BenchmarkPlainExec(b *testing.B) {
	for b.Loop() {
		if err := exec.Command("/usr/bin/true").Run(); err != nil {
			b.Fatal(err)
		}
	}
}

func initPath(tb testing.TB) string {
	path := tb.TempDir() + "/majordomo-init"
	build := exec.Command("go", "build", "-o", path, "majordomo/cmd/majordomo-init")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		tb.Fatalf("%v: %s", err, out)
	}
	return path
}
