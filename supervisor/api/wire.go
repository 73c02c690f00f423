package api

import (
	"encoding/json"
	"time"

	"majordomo/deps"
	"majordomo/deps/delivery"
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

// Event is something that happened. Fields that its kind does not have are left out.
type Event struct {
	Number     uint64    `json:"number,omitempty"` // in the order in which they happened
	At         time.Time `json:"at"`
	Kind       string    `json:"kind"` // state | notice | config | lost
	Member     string    `json:"member,omitempty"`
	Connector  string    `json:"connector,omitempty"`
	From       string    `json:"from,omitempty"`
	To         string    `json:"to,omitempty"`
	Generation uint64    `json:"generation,omitempty"`
	Text       string    `json:"text,omitempty"`  // why
	Stage      string    `json:"stage,omitempty"` // how far a stop had to go
	Cause      string    `json:"cause,omitempty"`
	Next       string    `json:"next,omitempty"`
	Count      int       `json:"count,omitempty"` // of a notice: how many like it were not told; of lost: events
}

// Sandbox names the layers that are in force around an instance and those this host cannot give.
type Sandbox struct {
	Layers  []string `json:"layers"`
	Missing []string `json:"missing"`
	Egress  string   `json:"egress,omitempty"` // what may leave its network, in words; absent where nothing holds it

	Why   []sandbox.Missing        `json:"why"`   // for each of Missing
	Notes map[sandbox.Layer]string `json:"notes"` // what is less than usual about a layer in force
}

// Package is one installed connector.
type Package struct {
	ID            string    `json:"id"`
	Name          string    `json:"name"`
	Version       int       `json:"version"`
	VersionString string    `json:"version_string"`
	InstalledAt   time.Time `json:"installed_at"`
	Digest        string    `json:"digest"` // SHA-256 over the list of its files
}

// Removed is what became of what a connector left behind.
type Removed struct {
	ID     string          `json:"id"`
	Kept   []Data          `json:"kept"`
	Purged []Data          `json:"purged"`
	Freed  []deps.Leftover `json:"freed"` // dependencies and downloads that only it needed
}

// Data is what a connector keeps for one member.
type Data struct {
	Member string `json:"member"`
	Path   string `json:"path"`
}

// Collected is what nothing needs any more, and is gone unless it was only asked for.
type Collected struct {
	Unused []deps.Leftover `json:"unused"`
	Bytes  int64           `json:"bytes"` // of all of it
}

// Member is one person of the household.
type Member struct {
	Name  string `json:"name"`
	UID   *int   `json:"uid"` // who they are on this machine; null = nobody
	Admin bool   `json:"admin"`
}

// Token says which agent token there is. The token itself is in the answer to its creation and nowhere else.
type Token struct {
	ID      string    `json:"id"`
	Member  string    `json:"member"`
	Name    string    `json:"name"`
	Created time.Time `json:"created"`
}

// NewToken is the answer to a token's creation.
type NewToken struct {
	ID    string `json:"id"`
	Token string `json:"token"`
}

// TokenRequest asks for an agent token.
type TokenRequest struct {
	Member string `json:"member"`
	Name   string `json:"name"`
}

// ActivationRequest asks for a connector to run for a member. Secrets are sealed before anything else happens.
type ActivationRequest struct {
	Member    string            `json:"member"`
	Connector string            `json:"connector"`
	Set       map[string]string `json:"set,omitempty"`
	Secrets   map[string]string `json:"secrets,omitempty"`

	Egress       string   `json:"egress,omitempty"`        // none | open | list:HOST:PORT,… | default; "" = as before
	AllowPrivate []string `json:"allow_private,omitempty"` // HOST:PORT reached although private, for admins to say; "none" alone takes all back
}

// Activation is what a member wants to run, and how far it has come (docs/architecture.md, Activations).
type Activation struct {
	ID         string `json:"id"` // the connector's
	Activation int64  `json:"activation"`
	Name       string `json:"name"`
	State      string `json:"state"`
	Reason     string `json:"reason,omitempty"`
	AuthState  string `json:"auth_state"`
	Tools      []Tool `json:"tools"`
	Egress     string `json:"egress"` // what a person said it may reach: none | open | list:HOST:PORT,… | default

	AllowPrivate []string `json:"allow_private"` // HOST:PORT reached although private
}

// Tool is one tool as an agent sees it.
type Tool struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Connector   string          `json:"connector"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

// CallRequest asks for one tool call. The answer is the connector's CallToolResult, byte for byte.
type CallRequest struct {
	Member    string          `json:"member"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// Login is where signing in by QR stands.
type Login struct {
	State   string `json:"state"`        // connecting | need_scan | ready | logged_out | …, the connector's word
	QR      string `json:"qr,omitempty"` // data URL of a PNG
	Message string `json:"message,omitempty"`
}

// LogLine is one line of a connector's stderr, redacted.
type LogLine struct {
	At   time.Time `json:"at"`
	Line string    `json:"line"`
}

// Doctor is what this host can do for connectors.
type Doctor struct {
	OK         bool                     `json:"ok"`      // connectors can be started
	Problem    string                   `json:"problem"` // why not; "" when ok
	Version    string                   `json:"version"`
	Driver     string                   `json:"driver"`
	State      string                   `json:"state"`
	Layers     []sandbox.Layer          `json:"layers"`
	Missing    []sandbox.Missing        `json:"missing"`
	Egress     string                   `json:"egress"` // what the open network lets out, in words
	Notes      map[sandbox.Layer]string `json:"notes"`  // what is less than usual about a layer in force
	Runtimes   []Runtime                `json:"runtimes"`
	Delivery   Delivery                 `json:"delivery"`
	Registries []Registry               `json:"registries"`
	Feed       FeedState                `json:"feed"`

	SelfTest []sandbox.SelfCheck `json:"self_test,omitempty"` // only where it was asked for
}

// Delivery is how what connectors run gets to them, which was found out by trying.
type Delivery struct {
	Way    delivery.Way `json:"way"`    // bind | reflink | copy
	Reason string       `json:"reason"` // why this one
}

// FeedState is which feed this daemon reads, and whether it checks signatures.
type FeedState struct {
	URL    string `json:"url"` // "" = none
	Signed bool   `json:"signed"`
}

// Registry is a package registry that this host is configured for, asked by the daemon outside every sandbox.
type Registry struct {
	Name      string `json:"name"` // npm | pip
	Reachable bool   `json:"reachable"`
	Error     string `json:"error"` // "" when reachable
}

// Runtime is one interpreter connectors may need.
type Runtime struct {
	Name    string `json:"name"`
	Found   bool   `json:"found"`
	Path    string `json:"path"`
	Version string `json:"version"`
	Fix     string `json:"fix"` // how to get it; "" when found
}

// ProbeRequest asks a connector's own interpreter, in its own sandbox, to read a path.
type ProbeRequest struct {
	Member string `json:"member"`
	Path   string `json:"path"`
}

// Probe is what came of it.
type Probe struct {
	Path    string `json:"path"`
	Refused bool   `json:"refused"`
	Error   string `json:"error"`   // what the interpreter said
	Control string `json:"control"` // the file it could read in the same run: the probe itself works
}

// Progress is where a long operation stands. What cannot be known is absent: only a download has bytes, and a time to its
// end only once there is a speed to tell it from.
type Progress struct {
	Phase      string `json:"phase"`
	Message    string `json:"message"`          // what is done in it now
	Detail     string `json:"detail,omitempty"` // what npm or pip printed just now
	ElapsedMS  int64  `json:"elapsed_ms"`       // since phase and message are these
	Files      int    `json:"files,omitempty"`  // so far
	FilesTotal int    `json:"files_total,omitempty"`
	Bytes      int64  `json:"bytes,omitempty"` // so far
	BytesTotal int64  `json:"bytes_total,omitempty"`
	Percent    *int   `json:"percent,omitempty"` // of the bytes
	ETAMS      int64  `json:"eta_ms,omitempty"`  // until the phase ends
}
