package supervisor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"majordomo/configs/manifest"
)

// source is a connector as its author sends it.
func source(text string) map[string][]byte {
	return map[string][]byte{
		"connector.json": []byte(`{"id": "notes", "version": 1, "type": "mcp_local", "scope": "global",
			"mcp_config": {"command": "python3", "args": ["server.py"]}, "env": [{"name": "A"}]}`),
		"fragment.json": []byte(`{"id": "notes", "version": 1}`),
		"server.py":     []byte(text),
	}
}

// trial is a Develop under way.
type trial struct {
	said chan Progress
	end  chan error
	stop context.CancelFunc
}

func (h *house) develop(connector string, files map[string][]byte, set ...string) *trial {
	ctx, stop := context.WithCancel(h.t.Context())
	t := &trial{make(chan Progress, 1000), make(chan error, 1), stop}
	go func() {
		t.end <- h.Develop(ctx, Development{
			Member: "ann", Connector: connector, Files: files, Set: pairs(set), Report: func(p Progress) { t.said <- p },
		})
	}()
	return t
}

// phases are what was said so far.
func (t *trial) phases() string {
	var all []string
	for {
		select {
		case p := <-t.said:
			all = append(all, strings.TrimSpace(p.Phase+" "+p.Message))
		default:
			return strings.Join(all, ", ")
		}
	}
}

func TestDevelop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		h.activate()
		dev := h.develop("notes", source("1"), "A=1")
		synctest.Wait()
		if got := dev.phases(); got != "taken running these files, starting, ready tools: 1" {
			t.Errorf("said: %s", got)
		}
		p := h.last().plan
		if p.Package.Release.Scope != manifest.ScopeUser || p.Values["A"] != "1" || p.Name != "notes.dev" {
			t.Errorf("it runs with %+v", p)
		}
		if text, err := os.ReadFile(filepath.Join(p.Package.Dir, "server.py")); err != nil || string(text) != "1" {
			t.Errorf("it runs %q, %v", text, err)
		}
		if got, err := h.add(); err != nil || !strings.HasSuffix(got, "from 2") {
			t.Errorf("a call gave %q, %v", got, err)
		}
		dev.stop()
		if err := <-dev.end; !errors.Is(err, context.Canceled) {
			t.Errorf("it ended with %v", err)
		}
		synctest.Wait()
		if got, err := h.add(); err != nil || !strings.HasSuffix(got, "from 3") || h.last().plan.Name != "notes" {
			t.Errorf("afterwards a call gave %q, %v", got, err)
		}
		if left, _ := os.ReadDir(h.o.Paths.Development() + "/ann"); len(left) != 0 {
			t.Errorf("left of what was developed: %v", left)
		}
	})
}

// New files take the place of old ones, unless they cannot be run.
func TestDevelopFurther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		first := h.develop("notes", source("1"))
		synctest.Wait()
		broken := source("2")
		broken["connector.json"] = []byte(`{"id": "notes"`)
		for name, files := range map[string]map[string][]byte{
			"broken": broken, "no entry file": {"connector.json": source("")["connector.json"]},
			"climbs": {"../../x": nil}, "reserved": {"auth/x": nil}, "nothing": nil,
		} {
			if err := <-h.develop("notes", files).end; err == nil {
				t.Errorf("%s: it ran", name)
			}
		}
		if err := <-h.develop("notes", source("2"), "B=1").end; err == nil || !strings.Contains(err.Error(), "B is unknown") {
			t.Errorf("a value that nobody asks for: %v", err)
		}
		h.ensure = func() error { return errors.New("no such dependency") }
		if err := <-h.develop("notes", source("2")).end; err == nil || err.Error() != "no such dependency" {
			t.Errorf("dependencies that do not build: %v", err)
		}
		h.ensure = nil
		if got, err := h.add(); err != nil || !strings.HasSuffix(got, "from 1") {
			t.Fatalf("what ran does not run any more: %q, %v", got, err)
		}
		second := h.develop("notes", source("2"))
		if err := <-first.end; !errors.Is(err, errTaken) {
			t.Errorf("the first ended with %v", err)
		}
		synctest.Wait()
		text, _ := os.ReadFile(filepath.Join(h.last().plan.Package.Dir, "server.py"))
		if got, err := h.add(); err != nil || !strings.HasSuffix(got, "from 2") || string(text) != "2" {
			t.Errorf("a call gave %q, %v from %q", got, err, text)
		}
		second.stop()
		<-second.end
		if _, err := h.add(); err == nil || len(h.Status()) != 0 {
			t.Errorf("something is left: %+v", h.Status())
		}
	})
}

// What does not start is told and tried again, and the next files end that.
func TestDevelopWhatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		h.script = func(_ context.Context, a *actor) error {
			if text, _ := os.ReadFile(filepath.Join(a.plan.Package.Dir, "server.py")); string(text) == "bad" {
				return errors.New("it exited with code 1")
			}
			return nil
		}
		bad := h.develop("notes", source("bad"))
		time.Sleep(time.Minute)
		if got := bad.phases(); !strings.Contains(got, "backoff it exited with code 1; it will be tried again, starting, backoff") {
			t.Errorf("said: %s", got)
		}
		good := h.develop("notes", source("good"))
		<-bad.end
		synctest.Wait()
		if got := good.phases(); !strings.HasSuffix(got, "ready tools: 1") {
			t.Errorf("said: %s", got)
		}
		good.stop()
		<-good.end
	})
}

// Nothing that happens to the installed connector reaches the one under development; deactivating ends it.
func TestDevelopAside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		h.activate()
		dev := h.develop("notes", source("1"))
		synctest.Wait()
		nothing := func(context.Context, []string) error { return nil }
		if err := h.Update(t.Context(), Change{Connector: "notes", Verb: "update", Do: nothing}); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if n := h.launched(); n != 2 {
			t.Errorf("an update of the installed one made %d processes", n)
		}
		if !h.Status()[0].Development {
			t.Error("the status does not say what it is")
		}
		if err := h.Deactivate(t.Context(), "ann", "notes"); err != nil {
			t.Fatal(err)
		}
		if err := <-dev.end; err == nil || !strings.Contains(err.Error(), "deactivated") {
			t.Errorf("it ended with %v", err)
		}
	})
}

func TestDevelopIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		var all []*trial
		for _, id := range []string{"a", "b", "c", "d", "e"} {
			files := source("1")
			files["connector.json"] = []byte(strings.Replace(string(files["connector.json"]), "notes", id, 1))
			files["fragment.json"] = nil
			all = append(all, h.develop(id, files))
			synctest.Wait()
		}
		if err := <-all[4].end; err == nil || !strings.Contains(err.Error(), "4 connectors under development already") {
			t.Errorf("the fifth: %v", err)
		}
		for _, dev := range all[:4] {
			dev.stop()
			<-dev.end
		}
		h.overlap = false // these were four connectors
	})
}

// What a daemon left that was killed goes when the next one starts.
func TestDevelopAfterKill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		k := key{"ann", "notes"}
		if _, err := writeDevFiles(h.o.Paths, k, source("1")); err != nil {
			t.Fatal(err)
		}
		home := h.o.Paths.ConnectorDir("ann", devName("notes"))
		if err := os.MkdirAll(filepath.Join(home, "auth"), 0o700); err != nil {
			t.Fatal(err)
		}
		h.close()
		h.open()
		defer h.close()
		for _, dir := range []string{h.o.Paths.DevelopmentOf("ann", "notes"), home} {
			if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s is left: %v", dir, err)
			}
		}
	})
}
