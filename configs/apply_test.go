package configs

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// Every key of the file is found, and either takes effect at once or is said to wait.
func TestTowards(t *testing.T) {
	old, err := Load(Source{State: "/s", File: "default.toml"})
	if err != nil {
		t.Fatal(err)
	}
	if got := old.Towards(old); len(got.Now)+len(got.Later)+len(got.Restart) != 0 {
		t.Errorf("no change is %+v", got)
	}
	next := old
	next.Listen, next.Feed.URL, next.Sandbox.Required = "127.0.0.1:1", "/feed", []string{"landlock"}
	next.Limits.Idle, next.Limits.IdleAlso = Pause(time.Minute), []string{"chat"}
	next.Limits.Message++
	got := old.Towards(next)
	if now := strings.Join(got.Now, " "); now != "sandbox.required limits.message limits.idle limits.idle_also" {
		t.Errorf("at once: %s", now)
	}
	if anew := strings.Join(got.Restart, " "); anew != "sandbox.required limits.message" {
		t.Errorf("connectors start anew for: %s", anew)
	}
	if later := strings.Join(got.Later, " "); later != "listen feed.url" {
		t.Errorf("later: %s", later)
	}
	if c := got.Config; c.Listen != old.Listen || c.Feed != old.Feed || c.Limits.Message != next.Limits.Message || c.Limits.Idle != next.Limits.Idle || len(c.Sandbox.Required) != 1 {
		t.Errorf("in force: %+v", c)
	}
	// What waits is still waiting after another reload: it is not taken for what is in force.
	next = old
	next.Sandbox.UIDBase, next.Sandbox.Driver, next.Deps.Disk, next.Limits.Idle = 1<<20, "docker", 1<<20, Pause(time.Hour)
	waits := "sandbox.driver sandbox.uid_base deps.disk"
	for range 2 {
		got := old.Towards(next)
		if later := strings.Join(got.Later, " "); later != waits {
			t.Errorf("waits: %q, want %q", later, waits)
		}
		old = got.Config
	}
	// Every key of the file is one or the other; all limits take effect at once.
	for _, key := range live {
		if !known(strings.Split(key, ".")) {
			t.Errorf("there is no key %s", key)
		}
	}
	for _, key := range anew {
		if !slices.Contains(live, key) {
			t.Errorf("%s starts connectors anew and waits for the daemon", key)
		}
	}
	for _, key := range keys() {
		if name := key.String(); strings.HasPrefix(name, "limits.") != slices.Contains(live, name) && !strings.HasPrefix(name, "sandbox.") {
			t.Errorf("%s: takes effect at once: %v", name, slices.Contains(live, name))
		}
	}
}
