package configs

import (
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
	if got := old.Towards(old); len(got.Now)+len(got.Later) != 0 || got.Restart {
		t.Errorf("no change is %+v", got)
	}
	next := old
	next.Listen, next.Feed.URL, next.Sandbox.Required = "127.0.0.1:1", "/feed", []string{"landlock"}
	next.Limits.Idle, next.Limits.IdleAlso = Pause(time.Minute), []string{"chat"}
	next.Limits.Message++
	got := old.Towards(next)
	if now := strings.Join(got.Now, " "); now != "limits.idle limits.idle_also" || got.Restart {
		t.Errorf("at once: %s, connectors start anew: %v", now, got.Restart)
	}
	if later := strings.Join(got.Later, " "); later != "listen feed.url sandbox.required limits.message" {
		t.Errorf("later: %s", later)
	}
	if c := got.Config; c.Listen != old.Listen || c.Limits.Message != old.Limits.Message || c.Limits.Idle != next.Limits.Idle {
		t.Errorf("in force: %+v", c)
	}
	next = old
	next.Limits.CPU = 2
	if got := old.Towards(next); !got.Restart {
		t.Errorf("another limit of processes: %+v", got)
	}
	// What waits is still waiting after another reload: it is not taken for what is in force.
	next = old
	next.Limits.Disk, next.Limits.DiskFiles, next.Limits.DiskReserve, next.Limits.Idle = 1<<20, 10, 1<<20, Pause(time.Hour)
	waits := "limits.disk limits.disk_files limits.disk_reserve"
	for range 2 {
		got := old.Towards(next)
		if later := strings.Join(got.Later, " "); later != waits {
			t.Errorf("waits: %q, want %q", later, waits)
		}
		old = got.Config
	}
	for _, key := range atOnce {
		if !strings.Contains(defaults, "\n"+strings.TrimPrefix(key, "limits.")+" = ") {
			t.Errorf("there is no key %s", key)
		}
	}
}
