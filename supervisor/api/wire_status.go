package api

import (
	"time"

	"majordomo/sandbox"
	"majordomo/sandbox/egress"
)

// Version is what everybody may ask.
type Version struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	Commit  string `json:"commit,omitempty"`
}

// Status is the daemon and every instance the caller may see.
type Status struct {
	Version   string     `json:"version"`
	Listen    string     `json:"listen"` // the real address, also when port 0 was configured
	Socket    string     `json:"socket"`
	Instances []Instance `json:"instances"`

	Config *ConfigState `json:"config"` // null for who is no admin
}

// ConfigState is where the daemon's configuration stands.
type ConfigState struct {
	File    string   `json:"file"`    // "" = there is none
	Problem string   `json:"problem"` // why a changed file is not in force; "" = nothing is wrong with it
	Waiting []string `json:"waiting"` // keys whose change is in force when the daemon is started anew
}

// Instance is one running (or wanted) connector of one member.
type Instance struct {
	Member     string  `json:"member"`
	Connector  string  `json:"connector"`
	State      string  `json:"state"`
	PID        int     `json:"pid"`
	Generation uint64  `json:"generation"`
	Restarts   int     `json:"restarts"`
	Tools      int     `json:"tools"`
	UptimeMS   int64   `json:"uptime_ms"`
	LastError  string  `json:"last_error"`
	Cause      *Cause  `json:"cause"`        // of last_error; null when nothing went wrong
	RetryInMS  int64   `json:"retry_in_ms"`  // until it is tried again by itself; 0 = it is not
	Stopped    bool    `json:"stopped"`      // a person stopped it: nothing but a person starts it again
	LastStop   *Stop   `json:"last_stop"`    // null = it was not stopped since the daemon started
	Memory     int64   `json:"memory_bytes"` // of the process and its children; 0 = none, or not counted on this host
	CPUMS      int64   `json:"cpu_ms"`       // since its start, the same
	Saved      int64   `json:"saved_bytes"`  // what it used, idle now
	Sandbox    Sandbox `json:"sandbox"`
	Egress     Egress  `json:"egress"`

	ActivationState string `json:"activation_state"` // docs/architecture.md, Activations; "" = it is not activated, but developed
	Reason          string `json:"reason"`           // of that state; "" when ready

	Development bool `json:"development,omitempty"` // it runs from an author's folder
}

// Egress is what a running connector had to do with the world outside, since it started.
type Egress struct {
	Hosts []egress.Contact `json:"hosts"` // most used first, at most 256 and one for all others
}

// Cause is why a connector does not run, or stopped running.
type Cause struct {
	Kind string    `json:"kind"` // missing_file | missing_module | bad_interpreter | exit_code | signal | oom | …, see docs/operations.md
	Text string    `json:"text"`
	Next string    `json:"next"` // what a person can do about it
	Said []string  `json:"said"` // the last lines of its process
	At   time.Time `json:"at"`
}

// Stop is how an instance was stopped, and how far it had to be driven.
type Stop struct {
	At    time.Time `json:"at"`
	Stage string    `json:"stage"` // gone | stdin | term | kill | stuck
	Why   string    `json:"why"`
}

// Sandbox names the layers that are in force around an instance and those this host cannot give.
type Sandbox struct {
	Layers  []string `json:"layers"`
	Missing []string `json:"missing"`
	Egress  string   `json:"egress,omitempty"` // what may leave its network, in words; absent where nothing holds it

	Why   []sandbox.Missing        `json:"why"`   // for each of Missing
	Notes map[sandbox.Layer]string `json:"notes"` // what is less than usual about a layer in force
}
