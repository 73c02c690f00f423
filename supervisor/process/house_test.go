package process

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest"

	"majordomo/configs"
	"majordomo/configs/digest"
	"majordomo/configs/manifest"
	"majordomo/deps"
	"majordomo/deps/delivery"
	"majordomo/install"
	"majordomo/mcpclient/mcptest"
	"majordomo/sandbox"
	"majordomo/supervisor"
	"majordomo/supervisor/store"
)

// house is a whole supervisor with real processes in real sandboxes. Only its
// packages are put there by the test instead of an install.
type house struct {
	*supervisor.Supervisor
	t        *testing.T
	paths    configs.Paths
	host     *sandbox.Host
	packages map[string]install.Package
	tree     deps.Tree // that every package gets
}

func (h *house) Package(_ context.Context, id string) (install.Package, error) {
	p, ok := h.packages[id]
	if !ok {
		return install.Package{}, &install.NotInstalledError{ID: id}
	}
	return p, nil
}

func (h *house) Everything(context.Context) ([]install.Package, error) { return nil, nil }

func (h *house) Unused(context.Context, deps.Use) ([]deps.Leftover, error) { return nil, nil }

func (h *house) Discard(deps.Leftover) error { return nil }

func (h *house) Ensure(context.Context, deps.Package, func(deps.Event)) (deps.Tree, error) {
	return h.tree, nil
}

// newHouse is for tests that run side by side: they share nothing, and wait for connectors most of the time.
func newHouse(t *testing.T) *house { return newHouseWith(t, "native", "") }

// newHouseWith has this driver, and delivers in the way given, "" = the best that works.
func newHouseWith(t *testing.T, driver string, way delivery.Way) *house {
	t.Helper()
	t.Parallel()
	h := &house{t: t, paths: configs.Paths{State: filepath.Join(t.TempDir(), "a house")}, packages: map[string]install.Package{}}
	state, err := store.Open(h.paths)
	if err != nil {
		t.Fatal(err)
	}
	h.host, err = sandbox.New(sandbox.Options{
		StateDir: h.paths.State, Driver: driver, IUnderstand: driver == "none", Log: zaptest.NewLogger(t),
	})
	if err != nil {
		t.Fatal(err)
	}
	h.Supervisor, err = supervisor.New(t.Context(), supervisor.Options{
		Paths: h.paths, DB: state.DB, Packages: h, Trials: noTrials{}, Trees: h,
		Launcher: New(Options{
			Paths: h.paths, Sandbox: h.host, Runtimes: &found, Messages: Messages{Of: map[string]int64{"tight": 128 << 10}}, Log: zaptest.NewLogger(t),
			Delivery: delivery.New(delivery.Options{Paths: h.paths, Host: h.host, Force: way}),
		}),
		Limits: supervisor.Limits{StartTimeout: 5 * time.Second, CallTimeout: 20 * time.Second}, Log: zaptest.NewLogger(t, zaptest.WrapOptions(zap.Development())),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(h.Stop(context.Background()), h.host.Close(), state.Close()); err != nil {
			t.Error(err)
		}
	})
	if err := errors.Join(h.Start(t.Context()), h.AddMember(t.Context(), supervisor.Member{Name: "ann"})); err != nil {
		t.Fatal(err)
	}
	return h
}

// noTrials is Trials: nothing here is ever updated.
type noTrials struct{}

func (noTrials) Trials(context.Context) ([]install.Trial, error) { return nil, nil }
func (noTrials) Proven(context.Context, string) error            { return nil }
func (noTrials) Rollback(context.Context, string, []string) (install.Package, error) {
	return install.Package{}, errors.ErrUnsupported
}

// install puts a scripted connector in place. change may alter its release.
func (h *house) install(id string, r mcptest.Runtime, mode string, change func(*manifest.Release)) {
	h.t.Helper()
	dir := h.paths.Connector(id)
	if err := mcptest.WriteConnector(dir, id, r, mode, nil); err != nil {
		h.t.Fatal(err)
	}
	release := manifest.Release{ID: id, Command: string(r), Args: []string{map[mcptest.Runtime]string{mcptest.Python: "server.py", mcptest.Node: "index.js"}[r]}}
	if change != nil {
		change(&release)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, f := range files {
		release.Files = append(release.Files, manifest.File{Path: f.Name()})
	}
	h.packages[id] = install.Package{Release: release, Dir: dir, Digest: digest.Of([]byte(id + mode))}
}

func (h *house) activate(id string) (supervisor.Activation, error) {
	return h.Activate(h.t.Context(), supervisor.Request{Member: "ann", Connector: id})
}

func (h *house) mustActivate(id string) supervisor.Activation {
	h.t.Helper()
	act, err := h.activate(id)
	if err != nil {
		h.t.Fatal(err)
	}
	return act
}

func (h *house) echo(id, text string) (string, error) {
	args, err := json.Marshal(map[string]string{"text": text})
	if err != nil {
		return "", err
	}
	raw, err := h.Call(h.t.Context(), "ann", "mcp__"+id+"__echo", args)
	return string(raw), err
}

// works fails the test unless the connector echoes.
func (h *house) works(id string) {
	h.t.Helper()
	got, err := h.echo(id, "hello "+id)
	if err != nil || !strings.Contains(got, "hello "+id) {
		h.t.Errorf("%s answered %s (%v)", id, got, err)
	}
}

func (h *house) status(id string) supervisor.Instance {
	for _, i := range h.Status() {
		if i.Connector == id {
			return i
		}
	}
	return supervisor.Instance{}
}

// until waits for a state; the test's own deadline bounds it.
func (h *house) until(id string, holds func(supervisor.Instance) bool) supervisor.Instance {
	h.t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(30 * time.Second)
	for {
		if i := h.status(id); holds(i) {
			return i
		}
		select {
		case <-tick.C:
		case <-limit:
			h.t.Fatalf("it stays %+v", h.status(id))
		}
	}
}

func ready(i supervisor.Instance) bool { return i.State == supervisor.Serving }

// alive reports whether a process exists, a zombie included.
func alive(pid int) bool {
	_, err := os.Stat(filepath.Join("/proc", itoa(pid)))
	return err == nil
}
