package install

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"majordomo/configs/digest"
	"majordomo/configs/manifest"
	"majordomo/install/feed"
	"majordomo/install/fetch"
)

// Every bad input of a feed: one clear sentence, nothing half done on disk, and
// neither the package that was there nor its neighbour is touched.
func TestBadFeeds(t *testing.T) {
	huge := strings.Repeat("x", manifest.MaxFile+1)
	hugeSum := digest.Of([]byte(huge)).String()
	for _, tt := range []struct {
		name    string
		damage  func(s *shop)
		want    string
		refused bool
	}{
		{"tampered file", func(s *shop) { s.write("notes/run.sh", "evil") },
			"notes/run.sh does not match its digest: the bytes are not the ones the publisher listed", true},
		{"line endings changed on the way", func(s *shop) { s.edit("notes/run.sh", "\n", "\r\n") },
			"its line endings were changed from LF to CRLF", true},
		{"missing file", func(s *shop) { s.edit("connectors.json", `"lib.sh"`, `"gone.sh"`) },
			"cannot read notes/gone.sh from", false},
		{"path that leads out", func(s *shop) { s.edit("connectors.json", `"lib.sh"`, `"../x"`) },
			`"../x" is not a plain relative path, it must stay inside`, true},
		{"absolute path", func(s *shop) { s.edit("connectors.json", `"lib.sh"`, `"/etc/cron.d/x"`) },
			"is absolute", true},
		{"reserved path", func(s *shop) { s.edit("connectors.json", `"lib.sh"`, `"auth/session"`) },
			"not the publisher's to ship", true},
		{"declared over the cap", func(s *shop) { s.edit("connectors.json", `"size": 7`, `"size": 8388609`) },
			"lib.sh is 8388609 bytes, more than the limit of 8 MiB", true},
		{"over the cap and lying", func(s *shop) {
			s.write("notes/lib.sh", huge)
			s.edit("connectors.json", digest.Of([]byte("library")).String(), hugeSum)
		}, "cannot use notes/lib.sh from", true},
		{"no args[0]", func(s *shop) {
			s.unlisted("notes/connector.json", strings.Replace(s.read("notes/connector.json"), `["run.sh"]`, `[]`, 1))
		}, "mcp_config.args[0]: it is missing, and it must name the file to run", true},
		{"manifest that is not JSON", func(s *shop) { s.unlisted("notes/connector.json", "{") },
			"connector.json: it is not valid JSON", true},
		{"manifest that is a web page", func(s *shop) { s.unlisted("notes/connector.json", "<!doctype html>") },
			"connector.json: it is a web page, not JSON", true},
		{"manifest that is not the listed one", func(s *shop) { s.edit("notes/connector.json", `"sh"`, `"node"`) },
			"notes/connector.json does not match its digest", true},
		{"manifest of another connector", func(s *shop) { s.unlisted("notes/connector.json", `{"id":"mail"}`) },
			`says "mail" but the index lists it as "notes"`, true},
		{"remote", func(s *shop) {
			s.unlisted("notes/connector.json", `{"type":"mcp_remote","mcp_config":{"url":"https://example.org"}}`)
		}, "it is a remote connector (mcp_remote)", true},
		{"index that is not JSON", func(s *shop) { s.write("connectors.json", "]") },
			"cannot use connectors.json from", true},
		{"index that is gone", func(s *shop) { s.write("connectors.json", "") }, "it is empty", true},
		{"connector that is not offered", func(s *shop) { s.edit("connectors.json", `"notes"`, `"other"`) },
			`cannot find connector "notes"`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newShop(t)
			i := newInstaller(t, s.dir, t.TempDir())
			s.publish("other-one", 1, nil)
			mustInstall(t, i, "other-one")
			s.publish("notes", 1, nil)
			mustInstall(t, i, "notes")
			s.publish("notes", 2, map[string]string{"lib.sh": "library"})
			tt.damage(s)

			_, err := i.Install(t.Context(), Request{ID: "notes", AcceptWider: true})
			oneSentence(t, err, tt.want, tt.refused)
			whole(t, i, "notes", 1)
			whole(t, i, "other-one", 1)
			clean(t, i)
		})
	}
}

func (s *shop) read(name string) string {
	s.t.Helper()
	return tree(s.t, s.dir)[name]
}

// unlisted replaces a document and its digest, as a publisher who compiles
// without checking would.
func (s *shop) unlisted(name, text string) {
	s.t.Helper()
	was := digest.Of([]byte(s.read(name))).String()
	s.write(name, text)
	s.edit("connectors.json", was, digest.Of([]byte(text)).String())
}

func oneSentence(t *testing.T, err error, want string, refused bool) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Fatalf("%v, want %q", err, want)
	}
	var r interface{ Refused() bool }
	if got := errors.As(err, &r) && r.Refused(); got != refused {
		t.Errorf("refused is %v: %v", got, err)
	}
}

// An index may name whatever it likes: nothing is fetched or written for it.
func TestIndexNamesTheParent(t *testing.T) {
	s := newShop(t)
	s.publish("notes", 1, nil)
	s.edit("connectors.json", `"id": "notes"`, `"id": "../x"`)
	state := t.TempDir()
	i := newInstaller(t, s.dir, state)
	_, err := i.Install(t.Context(), Request{ID: "../x"})
	oneSentence(t, err, `"../x" is not a name`, true)
	for name := range tree(t, state) {
		if !strings.HasPrefix(name, "majordomo.db") {
			t.Errorf("%s was written", name)
		}
	}
}

// What only a server can do wrong.
func TestBadServers(t *testing.T) {
	elsewhere := httptest.NewServer(http.NotFoundHandler())
	defer elsewhere.Close()
	for _, tt := range []struct {
		name    string
		path    string // the request that goes wrong
		answer  http.HandlerFunc
		want    string
		refused bool
	}{
		{"redirect to another origin", "/notes/run.sh", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusFound)
		}, "redirects to another origin", true},
		{"200 with a web page", "/connectors.json", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "<html>Sign in to the wifi")
		}, "it is a web page, not JSON", true},
		{"gzip", "/notes/run.sh", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(zipped("#!/bin/sh\necho 2\n"))
		}, "compressed", true},
		{"endless file", "/notes/run.sh", func(w http.ResponseWriter, _ *http.Request) {
			for chunk := bytes.Repeat([]byte("x"), 64<<10); ; {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		}, "larger than the limit of 8 MiB", true},
		{"gone half way", "/notes/run.sh", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "17")
			fmt.Fprint(w, "#!")
		}, "the connection broke before its end", false},
		{"error page", "/notes/connector.json", func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "<h1>oops</h1>", http.StatusBadGateway)
		}, `the server answered "502 Bad Gateway"`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newShop(t)
			bad := ""
			files := http.FileServer(http.Dir(s.dir))
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == bad {
					tt.answer(w, r)
					return
				}
				files.ServeHTTP(w, r)
			}))
			defer server.Close()
			i := newInstaller(t, server.URL, t.TempDir())
			s.publish("notes", 1, nil)
			mustInstall(t, i, "notes")
			s.publish("notes", 2, nil)
			bad = tt.path

			_, err := i.Install(t.Context(), Request{ID: "notes", AcceptWider: true})
			oneSentence(t, err, tt.want, tt.refused)
			whole(t, i, "notes", 1)
			clean(t, i)
		})
	}
}

func zipped(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	fmt.Fprint(z, text)
	z.Close()
	return b.Bytes()
}

func TestFeedDown(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	i := newInstaller(t, server.URL, t.TempDir())
	_, err := i.Install(t.Context(), Request{ID: "notes", AcceptWider: true})
	var unreachable *fetch.UnreachableError
	if !errors.As(err, &unreachable) {
		t.Errorf("%T", err)
	}
	oneSentence(t, err, "check that the feed is up", false)
	clean(t, i)
}

// A byte order mark is an editor's accident; the bytes still have their digest.
func TestBOM(t *testing.T) {
	s := newShop(t)
	s.publish("notes", 1, nil)
	s.unlisted("notes/connector.json", "\xef\xbb\xbf"+s.read("notes/connector.json"))
	s.write("connectors.json", "\xef\xbb\xbf"+s.read("connectors.json"))
	i := newInstaller(t, s.dir, t.TempDir())
	pkg := mustInstall(t, i, "notes")
	whole(t, i, "notes", 1)
	if !strings.Contains(fmt.Sprint(pkg.Release.Problems), "byte order mark") {
		t.Errorf("nobody said so: %v", pkg.Release.Problems)
	}
}

// The card of a release that cannot be installed says why, before anybody tries.
func TestCardSaysWhatInstallSays(t *testing.T) {
	s := newShop(t)
	s.publish("notes", 1, nil)
	s.edit("connectors.json", `"run.sh"`, `"../run.sh"`)
	f, err := feed.New(feed.Options{Base: s.dir})
	if err != nil {
		t.Fatal(err)
	}
	card, err := f.Release(t.Context(), "notes")
	if err != nil {
		t.Fatal(err)
	}
	i := newInstaller(t, s.dir, t.TempDir())
	_, err = i.Install(t.Context(), Request{ID: "notes", AcceptWider: true})
	if want := card.Installable(); want == nil || err == nil || err.Error() != want.Error() {
		t.Errorf("card: %v\ninstall: %v", want, err)
	}
}
