package supervisor

import (
	"encoding/json"
	"time"

	"majordomo/sandbox"
	"majordomo/sandbox/egress"
	"majordomo/supervisor/activations"
)

// Caller is who asks through the control socket.
type Caller struct {
	UID    int
	Member string // "" when no member is mapped to the uid
	Admin  bool
}

// Member is a person of the household.
type Member struct {
	Name  string
	UID   *int // the person's uid on this machine; nil when there is none
	Admin bool
}

// Token is a credential of an agent. The text of it is handed out once, by
// CreateToken, and never kept.
type Token struct {
	ID, Member, Name string
	Created          time.Time
}

// Request asks to activate a connector for a member, or to change an activation.
type Request struct {
	Member, Connector string
	Set               map[string]string // form values
	Secrets           map[string]string // form values that are sealed whatever the form says
	Egress            string            // as egress.Parse reads it, or "default": what the connector declares; "" = as before
	AllowPrivate      []string          // host:port reached although private; nil = as before. For admins to say
	Progress          func(Progress)    // optional; not called after Activate returned
}

// Progress is a step of something that takes long.
type Progress struct {
	Phase   string // form | deps | verify | start | undo
	Message string // what is done in it now
	Detail  string // what a tool printed meanwhile; "" = nothing new
}

// Activation is what a member wants, and how far it has come.
type Activation struct {
	ID        string // the connector's id
	Member    string
	Number    int64
	Name      string // what it is called inside its sandbox
	State     activations.State
	Reason    string // why it is not activations.Ready
	AuthState string // ready | pending, derived from State
	Tools     []Tool
	Egress    egress.Policy // what it may reach; without a Mode what the connector declares, or open
}

// Tool is one tool as agents see it.
type Tool struct {
	Name        string // mcp__<connector>__<tool>, at most 64 of [A-Za-z0-9_-]
	Title       string
	Connector   string
	Description string
	InputSchema json.RawMessage
	Raw         json.RawMessage // the connector's own description, untouched
}

// Instance is one line of the status.
type Instance struct {
	Member, Connector string
	State             State
	PID               int // 0 when no process runs
	Generation        uint64
	Restarts          int // since the daemon started or a person restarted it
	Tools             int
	Uptime            time.Duration    // 0 when no process runs
	Cause             *Cause           // of what went wrong last; nil when nothing did
	RetryAt           time.Time        // when it is tried again by itself; zero = not
	Stopped           bool             // a person stopped it, and nothing but a person starts it
	LastStop          *LastStop        // nil = it was not stopped since the daemon started
	Usage             sandbox.Usage    // of the running process and its children
	Saved             int64            // bytes that its process used and, idle, does not use
	Noise             int64            // lines on its standard output that were no protocol, since the daemon started
	Development       bool             // it runs from an author's folder
	Sandbox           sandbox.Report   // of the running process
	Contacts          []egress.Contact // of the running process, most used first
}

// Login is where signing in by QR code stands.
type Login struct {
	State   string // connecting | need_scan | ready | logged_out, or what the connector says
	QR      string // data URL of a PNG, only while a code is to be scanned; a credential: show it, never keep it
	Message string
}

// LogLine is one line of a connector's standard error, redacted.
type LogLine struct {
	At   time.Time
	Text string
}

// ProbeResult says what came of a forbidden read, tried from inside.
type ProbeResult struct {
	Path    string
	Refused bool
	Error   string // what the interpreter said
	Control string // the file that it could read in the same run
}
