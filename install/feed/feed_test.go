package feed_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"majordomo/configs/digest"
	"majordomo/configs/humanize"
	"majordomo/configs/manifest"
	"majordomo/install/feed"
	"majordomo/install/fetch"
)

const goodManifest = `{"version":1,"type":"mcp_local","mcp_config":{"command":"sh","args":["run.sh"]}}`

func entry(id string, more string) string {
	return fmt.Sprintf(`{"id":%q,"version":1,"type":"mcp_local","files":[{"path":"run.sh","sha256":%q,"size":2}]%s}`,
		id, digest.Of([]byte("hi")), more)
}

// site serves a feed from a map of paths; a nil map is a server that is down.
func site(t *testing.T, files map[string]string) *feed.Feed {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := files[r.URL.Path]
		if !ok {
			http.Error(w, "<h1>not here</h1>", http.StatusNotFound)
			return
		}
		fmt.Fprint(w, text)
	}))
	if files == nil {
		server.Close()
	}
	t.Cleanup(server.Close)
	return open(t, feed.Options{Base: server.URL})
}

// open is a feed that is closed when the test ends.
func open(t *testing.T, o feed.Options) *feed.Feed {
	t.Helper()
	f, err := feed.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

func index(entries ...string) string {
	return `{"connectors":[` + strings.Join(entries, ",") + `]}`
}

func TestListKeepsOrderAndIsolatesEntries(t *testing.T) {
	f := site(t, map[string]string{
		"/connectors.json": index(
			entry("zebra", ""), entry("missing", ""), `{"id":"../x"}`, `null`, entry("page", ""),
			entry("ant", `,"folder":"elsewhere"`)),
		"/zebra/connector.json":     goodManifest,
		"/page/connector.json":      "<html>welcome</html>",
		"/elsewhere/connector.json": goodManifest,
	})
	l, err := f.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range l.Releases {
		line := r.ID + ": ok"
		if err := r.Installable(); err != nil {
			line = r.ID + ": " + err.Error()
		}
		got = append(got, line)
	}
	for i, want := range []string{"zebra: ok", "404 Not Found", "is not a name", "index: entry 4", "it is a web page", "ant: ok"} {
		if !strings.Contains(got[i], want) {
			t.Errorf("card %d: %s, want %q", i, got[i], want)
		}
	}
}

// A listing is bounded in how much it asks at once.
func TestListConcurrency(t *testing.T) {
	var now, most atomic.Int64
	var entries []string
	for i := range 50 {
		entries = append(entries, entry(fmt.Sprintf("c%d", i), ""))
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/connectors.json" {
			fmt.Fprint(w, index(entries...))
			return
		}
		n := now.Add(1)
		defer now.Add(-1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		fmt.Fprint(w, goodManifest)
	}))
	defer server.Close()
	f, _ := feed.New(feed.Options{Base: server.URL})
	l, err := f.List(t.Context())
	if err != nil || len(l.Releases) != 50 {
		t.Fatalf("%d releases, %v", len(l.Releases), err)
	}
	if most.Load() > 8 {
		t.Errorf("%d requests at once", most.Load())
	}
}

// Every document has a bound, and what is over it names the bound.
func TestDocumentsAreBounded(t *testing.T) {
	pad := func(text string, to int) string { return text + strings.Repeat(" ", to-len(text)) }
	for _, tt := range []struct {
		path string
		text string
		max  int
	}{
		{"/connectors.json", index(entry("notes", "")), manifest.MaxIndex},
		{"/notes/connector.json", goodManifest, manifest.MaxManifest},
	} {
		for over := range 2 {
			files := map[string]string{"/connectors.json": index(entry("notes", "")), "/notes/connector.json": goodManifest}
			files[tt.path] = pad(tt.text, tt.max+over)
			r, err := site(t, files).Release(t.Context(), "notes")
			if err == nil {
				err = r.Installable()
			}
			if want := "it is larger than the limit of " + humanize.Bytes(int64(tt.max)); (err != nil) != (over > 0) || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s of %d bytes: %v", tt.path, tt.max+over, err)
			}
		}
	}
}

func TestIndexThatCannotBeHad(t *testing.T) {
	big := `{"connectors":[],"x":"` + strings.Repeat("x", manifest.MaxIndex) + `"}`
	for _, tt := range []struct {
		name    string
		files   map[string]string
		want    string
		refused bool
	}{
		{"feed down", nil, "check that the feed is up", false},
		{"no index", map[string]string{}, "404", false},
		{"web page", map[string]string{"/connectors.json": "<!doctype html>"}, "it is a web page, not JSON", true},
		{"not JSON", map[string]string{"/connectors.json": "{"}, "it is not valid JSON", true},
		{"too large", map[string]string{"/connectors.json": big}, "larger than the limit of 8 MiB", true},
	} {
		f := site(t, tt.files)
		_, err := f.List(t.Context())
		_, errOne := f.Release(t.Context(), "x")
		for _, err := range []error{err, errOne} {
			var refusal *manifest.Refusal
			var unreachable *fetch.UnreachableError
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") ||
				errors.As(err, &refusal) != tt.refused || errors.As(err, &unreachable) == tt.refused {
				t.Errorf("%s: %T %v", tt.name, err, err)
			}
		}
	}
}

func TestNoFeedConfigured(t *testing.T) {
	f, err := feed.New(feed.Options{})
	if err != nil || f.Base() != "" {
		t.Fatal(err)
	}
	if _, err := f.List(t.Context()); err == nil || !strings.Contains(err.Error(), "no feed is configured") {
		t.Error(err)
	}
	if _, err := f.Offer(t.Context(), "x"); err == nil {
		t.Error("an offer without a feed")
	}
}

func TestRelease(t *testing.T) {
	f := site(t, map[string]string{
		"/connectors.json":       index(entry("notes", ""), entry("gone", ""), `{"id":"../x"}`),
		"/notes/connector.json":  goodManifest,
		"/notes/run.sh":          "hi",
		"/../x/connector.json":   goodManifest,
		"/x/connector.json":      goodManifest,
		"/unlisted/connector.js": "",
	})
	r, err := f.Release(t.Context(), "notes")
	if err != nil || r.Installable() != nil || r.Command != "sh" {
		t.Fatalf("%+v, %v", r, err)
	}
	var got strings.Builder
	if err := f.Download(t.Context(), r, r.Files[0], &got); err != nil || got.String() != "hi" {
		t.Errorf("%q, %v", got.String(), err)
	}
	var missing *feed.NotOfferedError
	if _, err := f.Release(t.Context(), "nothing"); !errors.As(err, &missing) || missing.ID != "nothing" {
		t.Error(err)
	}
	// To show a connector without its manifest is fine, to offer it is not.
	if r, err := f.Release(t.Context(), "gone"); err != nil || r.Installable() == nil {
		t.Errorf("%v, %v", r.Problems, err)
	}
	var unreachable *fetch.UnreachableError
	if _, err := f.Offer(t.Context(), "gone"); !errors.As(err, &unreachable) {
		t.Error(err)
	}
	if o, err := f.Offer(t.Context(), "../x"); err != nil || o.Manifest != nil || o.Release.Installable() == nil {
		t.Errorf("%v, %v", o.Release.Problems, err)
	}
}

func TestCancelledList(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := site(t, map[string]string{}).List(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// The same feed from a directory and from a server is the same feed.
func TestDirectoryEqualsServer(t *testing.T) {
	files := map[string]string{"/connectors.json": index(entry("notes", "")), "/notes/connector.json": goodManifest}
	dir, err := feed.New(feed.Options{Base: mirror(t, files)})
	if err != nil {
		t.Fatal(err)
	}
	a, errA := dir.List(t.Context())
	b, errB := site(t, files).List(t.Context())
	if errA != nil || errB != nil || !cmp.Equal(a.Releases, b.Releases) {
		t.Errorf("%v %v\n%s", errA, errB, cmp.Diff(a.Releases, b.Releases))
	}
}

func mirror(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
