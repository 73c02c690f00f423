package supervisor

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"iter"
	"time"

	"go.uber.org/zap"

	"majordomo/configs"
)

// Options of New.
type Options struct {
	Paths configs.Paths
	DB    *sql.DB // open; see package store

	StartTimeout time.Duration // process start to tools listed; 0 = 60 s
	CallTimeout  time.Duration // one call; 0 = 60 s
	Log          *zap.Logger   // nil = silent
}

// Supervisor is safe for concurrent use.
type Supervisor struct{}

var errUnbuilt = errors.New("cannot do this yet")

// New reads what is remembered. It starts nothing.
func New(ctx context.Context, o Options) (*Supervisor, error) { return &Supervisor{}, nil }

// Start clears what an earlier daemon left running and brings back every
// instance that should run. It does not wait for them. ctx bounds the call only.
func (s *Supervisor) Start(ctx context.Context) error { return errUnbuilt }

// Stop ends every instance; nothing of them lives when it returns. When ctx
// ends, the rest of the grace is skipped. Calls that come later fail.
func (s *Supervisor) Stop(ctx context.Context) error { return errUnbuilt }

// Identify says who a uid of this machine is. Uid 0 and the daemon's own are
// admin; a uid that is mapped to nobody gets an empty Caller.
func (s *Supervisor) Identify(ctx context.Context, uid int) (Caller, error) {
	return Caller{}, errUnbuilt
}

// AddMember adds a person. uid, when not nil, is theirs alone.
func (s *Supervisor) AddMember(ctx context.Context, m Member) error { return errUnbuilt }

// Members lists the household by name.
func (s *Supervisor) Members(ctx context.Context) ([]Member, error) { return nil, errUnbuilt }

// CreateToken makes a token for an agent of the member. The text is returned
// here and nowhere else.
func (s *Supervisor) CreateToken(ctx context.Context, member, name string) (t Token, text string, err error) {
	return Token{}, "", errUnbuilt
}

// MemberOfToken says whose token this is, or fails with NotFound.
func (s *Supervisor) MemberOfToken(ctx context.Context, text string) (string, error) {
	return "", errUnbuilt
}

// Activate checks the form, builds dependencies, verifies, remembers and
// starts. An existing activation is changed: values given replace, others are
// kept. When the values were good but the connector does not start, both an
// Activation and an error are returned: it is remembered, and tried again.
func (s *Supervisor) Activate(ctx context.Context, r Request) (Activation, error) {
	return Activation{}, errUnbuilt
}

// Activations lists what the member has activated; every member's when "".
func (s *Supervisor) Activations(ctx context.Context, member string) ([]Activation, error) {
	return nil, errUnbuilt
}

// Deactivate stops the instance and forgets configuration and secrets. What the
// connector keeps in its own directory stays.
func (s *Supervisor) Deactivate(ctx context.Context, member, connector string) error {
	return errUnbuilt
}

// DeactivateAll does so for every member, before a connector is removed.
func (s *Supervisor) DeactivateAll(ctx context.Context, connector string) error { return errUnbuilt }

// Restart stops the instance and starts it anew, and waits for that.
func (s *Supervisor) Restart(ctx context.Context, member, connector string) error { return errUnbuilt }

// Reload restarts every instance of a connector that was installed anew. It
// does not wait for the starts.
func (s *Supervisor) Reload(ctx context.Context, connector string) error { return errUnbuilt }

// Status lists every instance, by member and connector.
func (s *Supervisor) Status(ctx context.Context) []Instance { return nil }

// Tools lists the member's tools by their last known listing, in the order of
// activation. login_status and logout are never among them.
func (s *Supervisor) Tools(ctx context.Context, member string) ([]Tool, error) {
	return nil, errUnbuilt
}

// Call calls a tool by the name agents see and returns the raw CallToolResult.
// The instance is started when it does not run; any number of callers wait for
// the one start. A call in flight when its process ends fails and is never
// repeated.
func (s *Supervisor) Call(ctx context.Context, member, tool string, args json.RawMessage) (json.RawMessage, error) {
	return nil, errUnbuilt
}

// LoginStatus asks a QR connector where signing in stands, starting it when it
// does not run. However many ask, the connector is asked at most every 2 s.
func (s *Supervisor) LoginStatus(ctx context.Context, member, connector string) (Login, error) {
	return Login{}, errUnbuilt
}

// Logs yields the kept lines of a connector's standard error, and with follow
// each new one until ctx ends.
func (s *Supervisor) Logs(ctx context.Context, member, connector string, follow bool) (iter.Seq[LogLine], error) {
	return nil, errUnbuilt
}

// Probe makes the connector's own interpreter, in the very same sandbox, try
// to read a path and, to prove the probe itself, its own entry file.
func (s *Supervisor) Probe(ctx context.Context, member, connector, path string) (ProbeResult, error) {
	return ProbeResult{}, errUnbuilt
}
