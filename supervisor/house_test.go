package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"go.uber.org/zap/zapcore"

	"majordomo/configs"
	"majordomo/configs/database"
	"majordomo/configs/manifest"
	"majordomo/deps"
	"majordomo/install"
	"majordomo/mcpclient"
	"majordomo/sandbox"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// house is a supervisor whose connectors are functions, so that its time can be
// the test's. Real processes are in package process.
type house struct {
	*Supervisor
	t        *testing.T
	dir      string
	packages map[string]manifest.Release
	previous manifest.Release // of what Rollback brings back
	backErr  error            // why it does not
	trial    []install.Trial  // what a database would keep

	mu       sync.Mutex
	launches []*actor
	running  map[string]int // by connector
	most     int            // ran at once
	overlap  bool           // two of one activation ran at once
	script   func(ctx context.Context, a *actor) error
	run      func(Plan, Command) (Output, error)
	ensure   func() error
	limits   Limits

	use       deps.Use
	discarded []string
}

// actor plays one process.
type actor struct {
	h       *house
	n       int // 1 for the first launch
	plan    Plan
	tools   []mcpclient.Tool
	call    func(ctx context.Context, tool string, args json.RawMessage) (string, error)
	steps   int           // signs of progress before each answer
	grace   time.Duration // how long it takes to stop
	listens bool

	once  sync.Once
	done  chan struct{}
	cause error
}

func newHouse(t *testing.T) *house {
	h := &house{t: t, dir: t.TempDir(), packages: map[string]manifest.Release{}, running: map[string]int{}, limits: Limits{StartTimeout: 30 * time.Second, CallTimeout: 10 * time.Second}}
	h.offer(manifest.Release{ID: "notes"})
	h.open()
	if err := h.AddMember(t.Context(), Member{Name: "ann"}); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *house) offer(r manifest.Release) {
	r.Command, r.Args = "python3", []string{"server.py"}
	h.packages[r.ID] = r
}

// open starts the daemon on the house's state directory; close ends it.
func (h *house) open() {
	h.t.Helper()
	db, err := database.Open(filepath.Join(h.dir, "majordomo.db"))
	if err != nil {
		h.t.Fatal(err)
	}
	h.Supervisor, err = New(h.t.Context(), Options{
		Paths: configs.Paths{State: h.dir}, DB: db, Packages: h, Trials: h, Trees: h, Launcher: h,
		UIDBase: 300_000, Limits: h.limits, Log: development(zapcore.NewNopCore()),
	})
	if err != nil {
		h.t.Fatal(err)
	}
	if err := h.Start(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) close() {
	h.t.Helper()
	if err := errors.Join(h.Stop(context.Background()), h.o.DB.Close()); err != nil {
		h.t.Error(err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, n := range h.running {
		if n != 0 || h.overlap {
			h.t.Errorf("%d processes of %s are left; overlap: %v", n, id, h.overlap)
		}
	}
}

func (h *house) Package(_ context.Context, id string) (install.Package, error) {
	r, ok := h.packages[id]
	if !ok {
		return install.Package{}, &install.NotInstalledError{ID: id}
	}
	return install.Package{Release: r, Digest: digestOf(r)}, nil
}

func (h *house) Everything(context.Context) ([]install.Package, error) {
	var all []install.Package
	for _, r := range h.packages {
		all = append(all, install.Package{Release: r})
	}
	return all, nil
}

func (h *house) Trials(context.Context) ([]install.Trial, error) { return h.trial, nil }

func (h *house) Proven(context.Context, string) error {
	h.trial = nil
	return nil
}

func (h *house) Rollback(context.Context, string, []string) (install.Package, error) {
	if h.backErr == nil {
		h.offer(h.previous)
		h.trial = nil
	}
	return install.Package{}, h.backErr
}

// Unused pretends that every connector has a tree that only its package and its instances need.
func (h *house) Unused(_ context.Context, u deps.Use) ([]deps.Leftover, error) {
	h.use = u
	if len(u.Packages) > 0 || len(u.Keys) > 0 {
		return nil, nil
	}
	return []deps.Leftover{{Kind: deps.LeftTree, Connector: "notes", Path: "notes' tree"}, {Kind: deps.LeftTree, Connector: "mail", Path: "mail's tree"}}, nil
}

func (h *house) Discard(l deps.Leftover) error {
	h.discarded = append(h.discarded, l.Path)
	return nil
}

func (h *house) Ensure(context.Context, deps.Package, func(deps.Event)) (deps.Tree, error) {
	if h.ensure != nil {
		return deps.Tree{}, h.ensure()
	}
	return deps.Tree{Key: "a key"}, nil
}

func (h *house) Run(ctx context.Context, p Plan, c Command) (Output, error) { return h.run(p, c) }

func (h *house) Leave(string, string) error { return nil }

func (h *house) Launch(ctx context.Context, p Plan) (Running, error) {
	h.mu.Lock()
	a := &actor{h: h, n: len(h.launches) + 1, plan: p, done: make(chan struct{}), tools: []mcpclient.Tool{{Name: "add"}, {Name: "login_status"}}}
	h.launches = append(h.launches, a)
	h.running[p.Connector]++
	h.overlap = h.overlap || h.running[p.Connector] > 1
	all := 0
	for _, n := range h.running {
		all += n
	}
	h.most = max(h.most, all)
	script := h.script
	h.mu.Unlock()
	if script != nil {
		if err := script(ctx, a); err != nil {
			a.exit(err)
			return Running{}, err
		}
	}
	return Running{PID: 1000 + a.n, Session: a, Process: a, Usage: a.Usage, Listens: func() bool { return a.listens }}, nil
}

// pause is a script's way to take long.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (a *actor) exit(cause error) {
	a.once.Do(func() {
		a.h.mu.Lock()
		a.h.running[a.plan.Connector]--
		a.h.mu.Unlock()
		a.cause = cause
		close(a.done)
	})
}

func (a *actor) Tools() []mcpclient.Tool { return a.tools }
func (a *actor) Done() <-chan struct{}   { return a.done }
func (a *actor) Cause() error            { return a.cause }

func (a *actor) Stop(ctx context.Context) sandbox.Stage {
	_ = pause(ctx, a.grace)
	a.exit(&ExitError{})
	return sandbox.StageStdin
}

func (a *actor) Usage() sandbox.Usage { return sandbox.Usage{Memory: 20 << 20} }

func (a *actor) Call(ctx context.Context, tool string, args json.RawMessage, progress func(json.RawMessage)) (json.RawMessage, error) {
	for range a.steps {
		if err := pause(ctx, 6*time.Second); err != nil {
			return nil, context.Cause(ctx)
		}
		progress(json.RawMessage(`{"progress":1}`))
	}
	text := fmt.Sprintf("%s %s from %d", tool, args, a.n)
	if a.call != nil {
		said, err := a.call(ctx, tool, args)
		if err != nil {
			return nil, err
		}
		text = said
	}
	select {
	case <-a.done:
		return nil, a.cause
	default:
	}
	return json.Marshal(map[string]any{"content": []any{map[string]string{"type": "text", "text": text}}})
}

func (h *house) launched() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.launches)
}

// last is the newest process.
func (h *house) last() *actor {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.launches[len(h.launches)-1]
}

// activate activates notes for ann, or fails the test.
func (h *house) activate(set ...string) Activation {
	h.t.Helper()
	act, err := h.Activate(h.t.Context(), Request{Member: "ann", Connector: "notes", Set: pairs(set)})
	if err != nil {
		h.t.Fatal(err)
	}
	return act
}

func pairs(set []string) map[string]string {
	m := map[string]string{}
	for _, pair := range set {
		name, value, _ := strings.Cut(pair, "=")
		m[name] = value
	}
	return m
}

// add calls the one tool and returns the text of its answer.
func (h *house) add() (string, error) {
	raw, err := h.Call(h.t.Context(), "ann", "mcp__notes__add", json.RawMessage(`{}`))
	return text(raw), err
}

func text(raw json.RawMessage) string {
	var r struct{ Content []struct{ Text string } }
	if json.Unmarshal(raw, &r) != nil || len(r.Content) == 0 {
		return ""
	}
	return r.Content[0].Text
}

func (h *house) state() State {
	all := h.Status()
	i := slices.IndexFunc(all, func(i Instance) bool { return i.Member == "ann" && i.Connector == "notes" })
	if i < 0 {
		return ""
	}
	return all[i].State
}
