package e2e

import "strings"

// instance is what `status --json` says of one, as far as these tests look.
type instance struct {
	Member    string
	Restarts  int
	LastError string `json:"last_error"`
	Connector string
	State     string
	Stopped   bool
	PID       int
	Tools     int
	Sandbox   struct {
		Layers []string
	}
}

func (h *house) instances() []instance {
	h.t.Helper()
	var status struct{ Instances []instance }
	h.read(&status, "status")
	return status.Instances
}

// running lists the instances that answer calls.
func (h *house) running() []instance {
	var ready []instance
	for _, i := range h.instances() {
		if i.State == "ready" {
			ready = append(ready, i)
		}
	}
	return ready
}

// activate installs a connector of the example feed and activates it for ann.
func (h *house) activate(id string) {
	h.t.Helper()
	h.ok("install", id)
	h.ok("activate", id, "--member", "ann")
}

// registryOf names the registry that a connector of the example feed installs from.
var registryOf = map[string]string{"everything": "npm", "files": "npm", "time": "pypi"}

// activateAll activates the five connectors of the example feed, less those whose registry this
// host cannot reach, which it names.
func (h *house) activateAll() []string {
	h.t.Helper()
	var ids []string
	for _, id := range []string{"notes", "pairing", "everything", "files", "time"} {
		if registry := registryOf[id]; registry != "" && !reachable(h.t, registry) {
			h.t.Logf("without %s: the %s registry cannot be reached", id, registry)
			continue
		}
		h.activate(id)
		ids = append(ids, id)
	}
	h.wait(strings.Join(ids, ", ")+" to run", func() bool { return len(h.running()) == len(ids) })
	return ids
}
