package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"majordomo/sandbox/docker/dockertest"
)

// A household whose connectors run each in a container: one in node and one in python, without dependencies, from an image made of this
// host's own interpreters.
func TestConnectorsInContainers(t *testing.T) {
	e := dockertest.Start(t)
	e.Import("interpreters", []string{"sh", "cat", "env", "node", "python3"})
	h := containerHouse(t, e, "interpreters")
	doctor := struct {
		OK       bool
		Problem  string
		Driver   string
		Layers   []string
		Runtimes []struct {
			Name, Path string
			Found      bool
		}
	}{}
	h.read(&doctor, "doctor")
	if !doctor.OK || doctor.Driver != "docker" || !slices.Contains(doctor.Layers, "mount") || !slices.Contains(doctor.Layers, "memory") {
		t.Errorf("doctor: %+v", doctor)
	}
	for _, r := range doctor.Runtimes {
		if (r.Name == "node" || r.Name == "python3" || r.Name == "sh") != r.Found { // the image has no npm and no pip
			t.Errorf("runtime %+v", r)
		}
	}
	if out, errs, err := h.run("", "doctor", "--self-test"); err != nil {
		t.Errorf("the self-test: %v\n%s%s", err, out, errs)
	}
	h.ok("member", "add", "ann")
	h.activate("notes")
	h.ok("call", "mcp__notes__list_notes")
	running := h.running()
	if len(running) != 1 || !slices.Contains(running[0].Sandbox.Layers, "egress") {
		t.Errorf("running: %+v", running)
	}
	if got := e.Docker("ps", "-q"); len(strings.Fields(got)) != 1 {
		t.Errorf("containers %q", got)
	}
	h.stop()
	if got := e.Docker("ps", "-aq"); got != "" {
		t.Errorf("after the daemon's end: containers %q", got)
	}
}

// containerHouse is a daemon whose connectors run in containers of an image.
func containerHouse(t *testing.T, e *dockertest.Engine, image string) *house {
	t.Helper()
	feed, err := filepath.Abs("../../configs/feed")
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, bin: binary(), state: filepath.Join(t.TempDir(), "state"), feed: feed, config: filepath.Join(t.TempDir(), "config.toml")}
	text := fmt.Sprintf("[sandbox]\ndriver = \"docker\"\nimage = %q\nengine = %q\n", image, e.Address)
	if err := os.WriteFile(h.config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	h.serve()
	return h
}

// demoInContainers has the connectors of the example feed installed, with their dependencies, and answer from containers of our own image.
func demoInContainers(t *testing.T, e *dockertest.Engine) {
	t.Helper()
	h := containerHouse(t, e, "majordomo")
	h.ok("member", "add", "ann")
	want := 1
	h.activate("notes")
	for _, id := range []string{"time", "everything"} {
		if registry := registryOf[id]; !reachable(t, registry) {
			t.Logf("%s skipped: its registry cannot be reached", id)
			continue
		}
		h.activate(id)
		want++
	}
	h.wait("the connectors to answer", func() bool { return len(h.running()) == want })
	for _, i := range h.running() {
		if !slices.Contains(i.Sandbox.Layers, "egress") {
			t.Errorf("%+v", i)
		}
	}
}
