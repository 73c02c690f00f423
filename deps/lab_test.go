package deps

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/zap/zaptest"

	"majordomo/configs"
	"majordomo/sandbox"
)

// lab is a state directory with one connector, and a Builder that works in real sandboxes.
type lab struct {
	t       *testing.T
	state   string
	home    string // of the person whose configuration npm and pip find outside
	host    *sandbox.Host
	builder *Builder

	mu     sync.Mutex
	events []Event
}

// newLab needs a tool, and a machine that can confine; environ is added to what npm and pip see outside. Labs wait for other
// processes most of the time, and share nothing, so their tests run side by side.
func newLab(t *testing.T, name string, o Options, environ ...string) *lab {
	t.Helper()
	t.Parallel()
	return newLabBeside(t, name, o, environ...)
}

// newLabBeside is a lab for a test that has another one.
func newLabBeside(t *testing.T, name string, o Options, environ ...string) *lab {
	t.Helper()
	tool(t, name)
	l := &lab{t: t, state: t.TempDir(), home: t.TempDir()}
	host, err := sandbox.New(sandbox.Options{StateDir: l.state, Log: zaptest.NewLogger(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := host.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { // the directory's own cleanup cannot remove what is read-only, unless it is root's
		if err := Remove(l.builder.o.Paths.Deps()); err != nil {
			t.Error(err)
		}
	})
	l.host = host
	l.builder = l.another(o, environ...)
	return l
}

// another is a Builder for the same state directory, as a second daemon would have.
func (l *lab) another(o Options, environ ...string) *Builder {
	o.Paths, o.Sandbox, o.Log, o.Runtimes = configs.Paths{State: l.state}, l.host, zaptest.NewLogger(l.t), &found
	o.Environ = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + l.home}, environ...)
	return New(o)
}

// ensure installs a connector of these files and returns its tree.
func (l *lab) ensure(files map[string]string) (Tree, error) {
	l.t.Helper()
	return l.builder.Ensure(l.t.Context(), connector(l.t, l.state, files), l.note)
}

func (l *lab) note(e Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, e)
}

// must is ensure for what has to succeed.
func (l *lab) must(files map[string]string) Tree {
	l.t.Helper()
	tree, err := l.ensure(files)
	if err != nil {
		l.t.Fatalf("%v\n%s", err, l.printed())
	}
	return tree
}

// refuse is ensure for what has to fail, with these words, and leave nothing.
func (l *lab) refuse(files map[string]string, says ...string) *InstallError {
	l.t.Helper()
	tree, err := l.ensure(files)
	var e *InstallError
	if !errors.As(err, &e) {
		l.t.Fatalf("got %+v, %v, want an InstallError", tree, err)
	}
	for _, word := range says {
		if !strings.Contains(err.Error(), word) {
			l.t.Errorf("%q does not say %q", err, word)
		}
	}
	nothingLeft(l.t, l.builder)
	return e
}

func (l *lab) printed() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all strings.Builder
	for _, e := range l.events {
		all.WriteString(e.Phase + ": " + e.Line + "\n")
	}
	return all.String()
}

// phases are the phases that were entered, in order.
func (l *lab) phases() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []string
	for _, e := range l.events {
		if e.Line == "" {
			all = append(all, e.Phase)
		}
	}
	return slices.Compact(all)
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// alive counts processes of this host with the marker in their command line.
func alive(marker string) int {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	n := 0
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && bytes.Contains(data, []byte(marker)) {
			n++
		}
	}
	return n
}
