package sandbox

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

// A start that fails says why, leaves no process and no descriptor, and makes the next one no worse.
func TestStartFails(t *testing.T) {
	h := openHost(t)
	succeed(t, h, shell("true")) // opens what stays open
	before := openFiles(t)
	for _, c := range []struct {
		name   string
		change func(*Spec)
		layer  Layer
		text   string
	}{
		{"no such program", func(s *Spec) { s.Argv = []string{"/usr/bin/no-such"} }, "", "cannot run /usr/bin/no-such: no such file"},
		{"not on the PATH", func(s *Spec) { s.Argv = []string{"no-such"} }, "", "cannot run no-such: not found in PATH=/usr/bin:/bin"},
		{"not a program", func(s *Spec) { s.Argv = []string{"/etc/passwd"} }, "", "cannot run /etc/passwd: permission denied"},
		{"no such directory", func(s *Spec) { s.Dir = "/root/none" }, "", "cannot enter the working directory /root/none"},
		{"no such mount", func(s *Spec) { s.Mounts = []Mount{{Source: "/none", Target: "/root/x"}} }, MountView, "cannot show /none at /root/x: no such file"},
		{"no such interpreter", func(s *Spec) { s.Runtimes = []string{"/none"} }, MountView, "cannot show /none/bin"},
		{"mount point in what is read-only", func(s *Spec) {
			s.Mounts = []Mount{{Source: t.TempDir(), Target: "/root/x"}, {Source: t.TempDir(), Target: "/root/x/y"}}
		}, MountView, "cannot make the mount point /root/x/y: read-only file system"},
		{"a layer that is not there", func(s *Spec) { s.Required = []Layer{Disk} }, Disk, "sandbox layer disk: it is required, but"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := shell("true")
			c.change(&s)
			p, err := h.Start(t.Context(), s)
			if err == nil {
				end(p)
			}
			var failed *StartError
			if !errors.As(err, &failed) || failed.Layer != c.layer || !strings.Contains(err.Error(), c.text) {
				t.Errorf("error %v", err)
			}
		})
	}
	if after := openFiles(t); after > before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
	if pids := children(t); len(pids) > 0 {
		t.Errorf("children %v", pids)
	}
}

func TestStartIsBounded(t *testing.T) {
	h := openHost(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	if _, err := h.Start(ctx, shell("true")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	if pids := children(t); len(pids) > 0 {
		t.Errorf("children %v", pids)
	}
}

// The context of the start is not the process's.
func TestContextBoundsTheStartOnly(t *testing.T) {
	h := openHost(t)
	ctx, cancel := context.WithCancel(t.Context())
	p, err := h.Start(ctx, connector("cat"))
	if err != nil {
		t.Fatal(err)
	}
	defer end(p)
	cancel()
	if _, err := p.Stdin.WriteString("hello\n"); err != nil || line(t, p) != "hello" {
		t.Error("it ended with the context of its start")
	}
}

func TestOptions(t *testing.T) {
	for text, o := range map[string]Options{
		"no state directory": {},
		"no driver":          {StateDir: t.TempDir(), Driver: "podman"},
		"unconfined":         {StateDir: t.TempDir(), Driver: "none"},
		"no layer":           {StateDir: t.TempDir(), Required: []Layer{"magic"}},
	} {
		if h, err := New(o); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%+v: error %v", o, err)
			if err == nil {
				h.Close()
			}
		}
	}
}

// What the configuration requires and the host lacks stops every start, and the report still says what is there.
func TestRequiredOfTheHost(t *testing.T) {
	h, err := New(Options{StateDir: t.TempDir(), Required: []Layer{Disk}})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if !h.Report().Has(Seccomp) {
		t.Errorf("report %+v", h.Report())
	}
	var failed *StartError
	if _, err := h.Start(t.Context(), shell("true")); !errors.As(err, &failed) || failed.Layer != Disk {
		t.Errorf("error %v", err)
	}
}

// Every layer is in one list, and what is missing says why.
func TestReport(t *testing.T) {
	h := openHost(t)
	p := start(t, h, connector("cat"))
	for name, r := range map[string]Report{"host": h.Report(), "process": p.Report()} {
		if r.Driver != "native" || len(r.InForce)+len(r.Missing) != len(Layers()) {
			t.Errorf("%s: %+v", name, r)
		}
		for _, m := range r.Missing {
			if m.Reason == "" || r.Has(m.Layer) {
				t.Errorf("%s: %+v", name, m)
			}
		}
		for _, l := range always {
			if !r.Has(l) {
				t.Errorf("%s: no %s", name, l)
			}
		}
		if r.Has(UID) != (os.Geteuid() == 0) {
			t.Errorf("%s: uid", name)
		}
	}
}

// The report says what the network lets out, most of all where that is less than was asked for.
func TestLetsOut(t *testing.T) {
	for want, s := range map[string]Spec{
		"nothing":                   {},
		"public addresses over TCP": {Network: NetworkOpen},
		"public addresses over TCP; and registry.lan:80, localhost:4873": {Network: NetworkOpen, AllowPrivate: []string{"registry.lan:80", "localhost:4873"}},
		"a.test:443, b.test:80 over TCP":                                 {Network: NetworkList, Hosts: []string{"a.test:443", "b.test:80"}},
	} {
		if got := s.letsOut(""); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := (Spec{Network: NetworkOpen}).letsOut("no nftables"); got != "public addresses over TCP, at the usual ports only: no nftables" {
		t.Errorf("%q", got)
	}
	h := openHost(t)
	p := start(t, h, connector("cat"))
	if got := p.Report().Egress; got != "nothing" || !strings.HasPrefix(h.Report().Egress, "public addresses over TCP") {
		t.Errorf("of a process %q, of the host %q", got, h.Report().Egress)
	}
}

// The driver none is asked for by name, runs in the host's directories and claims nothing.
func TestDriverNone(t *testing.T) {
	h, err := New(Options{StateDir: t.TempDir(), Driver: "none", IUnderstand: true})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	dir := t.TempDir()
	s := shell(`pwd; env | grep -c CANARY; echo "$PLACES $TEXT"; cat "$1"`)
	s.Dir, s.Mounts = "/root/.skald/mcp/x/sub", []Mount{{Source: dir, Target: "/root/.skald/mcp/x"}, {Source: dir + "/sub", Target: "/root/.skald/mcp/x/over"}}
	s.Argv = append(s.Argv, "sh", "/root/.skald/mcp/x/sub/file")
	s.Env = append(s.Env, "PLACES=/usr/bin:/root/.skald/mcp/x/over/a:/root/.skald/mcp/x", "TEXT=--see /root/.skald/mcp/x --path=/root/.skald/mcp/x")
	write(t, dir+"/sub/file", "whole\n")
	t.Setenv("CANARY", "of the daemon")
	out, errs, _ := output(t, h, s)
	want := dir + "/sub\n0\n/usr/bin:" + dir + "/sub/a:" + dir + " --see " + dir + " --path=/root/.skald/mcp/x\nwhole\n"
	if out != want {
		t.Errorf("%q %s", out, errs)
	}
	if r := h.Report(); r.Driver != "none" || r.Has(Seccomp) || r.Has(MountView) || !r.Has(Env) {
		t.Errorf("%+v", r)
	}
}
