package deps

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"majordomo/sandbox"
)

// A build that fills the disk, with many files or with one, is ended, and says what the bound is called.
func TestDiskIsBounded(t *testing.T) {
	for name, script := range map[string]string{
		"many files": `const fs = require("fs"); for (let i = 0; ; i++) fs.writeFileSync("x" + i, Buffer.alloc(1 << 20, 1))`,
		"temporary":  `const fs = require("fs"); for (let i = 0; ; i++) fs.writeFileSync(process.env.TMPDIR + "/x" + i, Buffer.alloc(1 << 20, 1))`,
		"one file":   `const fs = require("fs"); const f = fs.openSync("x", "w"); for (;;) fs.writeSync(f, Buffer.alloc(1 << 20, 1))`,
	} {
		t.Run(name, func(t *testing.T) {
			r := newNPMRegistry(t, scripted("1.0.0", script))
			l := npmLab(t, Options{Disk: 24 << 20}, r)
			l.refuse(map[string]string{"package.json": depends("scripted", "1.0.0")}, "npm scripts: ", "24 MiB", "(deps.disk)")
		})
	}
}

// One that is too large by the time it ends is no tree either.
func TestDiskIsCheckedAtTheEnd(t *testing.T) {
	r := newNPMRegistry(t, scripted("1.0.0", `for (let i = 0; i < 5; i++) require("fs").writeFileSync("x" + i, Buffer.alloc(1 << 20, 1))`))
	l := npmLab(t, Options{Disk: 4 << 20}, r)
	l.refuse(map[string]string{"package.json": depends("scripted", "1.0.0")}, "npm scripts: ", "(deps.disk)")
}

func TestMemoryIsBounded(t *testing.T) {
	r := newNPMRegistry(t, scripted("1.0.0", `const all = []; for (;;) all.push(Buffer.alloc(8 << 20, 1))`))
	l := npmLab(t, Options{Limits: sandbox.Limits{Memory: 256 << 20}}, r)
	if !l.host.Report().Has(sandbox.MemoryLimit) {
		t.Skip("this host has no memory limit")
	}
	l.refuse(map[string]string{"package.json": depends("scripted", "1.0.0")}, "npm scripts: ", "256 MiB")
}

// recorder remembers what was started.
type recorder struct {
	Starter
	mu    sync.Mutex
	specs []sandbox.Spec
}

func (r *recorder) Start(ctx context.Context, s sandbox.Spec) (*sandbox.Process, error) {
	r.mu.Lock()
	r.specs = append(r.specs, s)
	r.mu.Unlock()
	return r.Starter.Start(ctx, s)
}

// Every step of every install has its limits, and sees nothing of members.
func TestEveryStepIsConfined(t *testing.T) {
	r := newNPMRegistry(t, scripted("1.0.0", ""))
	x := newPipIndex(t)
	x.source(t, "greeter", "1.0", "")
	l := newLab(t, "pip", Options{}, "npm_config_registry="+r.URL+"/", "PIP_INDEX_URL="+x.url(), "MEMBER_SECRET=s3cret")
	seen := &recorder{Starter: l.host}
	l.builder.o.Sandbox = seen
	l.must(map[string]string{"package.json": depends("scripted", "1.0.0"), "requirements.txt": "greeter"})
	if len(seen.specs) != 4 { // npm: fetch, scripts; pip: wheels, sources
		t.Errorf("%d steps", len(seen.specs))
	}
	for _, s := range seen.specs {
		limits := s.Limits
		if limits.Memory != 2<<30 || limits.CPU < 1 || limits.Size != 4<<30 || limits.Pids == 0 || limits.Files == 0 {
			t.Errorf("%v has limits %+v", s.Argv, limits)
		}
		if s.Network == sandbox.NetworkOpen || (s.Network == sandbox.NetworkList) != (len(s.Hosts) == 1) {
			t.Errorf("%v has the network %q of %q", s.Argv, s.Network, s.Hosts)
		}
		if slices.ContainsFunc(s.Env, func(v string) bool { return strings.Contains(v, "s3cret") }) {
			t.Errorf("%v has the daemon's environment: %q", s.Argv, s.Env)
		}
		for _, m := range s.Mounts {
			if strings.HasPrefix(m.Source, l.builder.o.Paths.Homes()) || m.Writable && !strings.HasPrefix(m.Source, l.builder.o.Paths.Deps()+"/") {
				t.Errorf("%v sees %+v", s.Argv, m)
			}
		}
	}
}
