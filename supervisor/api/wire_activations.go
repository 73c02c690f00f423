package api

import (
	"encoding/json"
	"time"
)

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
