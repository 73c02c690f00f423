package fetch_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"majordomo/configs/digest"
	"majordomo/configs/manifest"
	"majordomo/install/fetch"
)

func TestOpen(t *testing.T) {
	for base, want := range map[string]string{
		"https://feed.example":            "",
		"https://feed.example:8443/a/b/":  "",
		"http://127.0.0.1:8080":           "",
		"http://[::1]:8080/feed":          "",
		"http://localhost":                "",
		"/srv/feed":                       "",
		"feed":                            "",
		"":                                "no feed is configured",
		"http://feed.example":             "plain http lets anyone on the way change it",
		"http://10.0.0.1":                 "plain http",
		"http://127.0.0.1.feed.example":   "plain http",
		"ftp://feed.example":              "ftp:// is not supported",
		"file:///srv/feed":                "names no host",
		"https://":                        "names no host",
		"https://feed.example/?q=1":       "no ? or # part",
		"https://u:hunter2@[bad":          "not a URL",
		"gopher://u:hunter2@feed.example": "not supported",
	} {
		_, err := fetch.Open(base, fetch.Options{})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("Open(%q) = %v, want %q", base, err, want)
		}
		var refused interface{ Refused() bool }
		if err != nil && !errors.As(err, &refused) {
			t.Errorf("Open(%q): %v is no refusal", base, err)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("Open(%q) shows the password", base)
		}
	}
}

// serve returns a Source on a loopback server with that handler.
func serve(t *testing.T, h http.HandlerFunc) *fetch.Source {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return open(t, server.URL, fetch.Options{Timeout: 5 * time.Second})
}

func open(t *testing.T, base string, o fetch.Options) *fetch.Source {
	t.Helper()
	s, err := fetch.Open(base, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// endless writes until the client hangs up and counts what it could send.
func endless(w http.ResponseWriter) (sent int) {
	chunk := bytes.Repeat([]byte("x"), 64<<10)
	for {
		n, err := w.Write(chunk)
		sent += n
		if err != nil {
			return sent
		}
	}
}

func TestBadAnswers(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "stolen") }))
	defer other.Close()
	for _, tt := range []struct {
		name    string
		handler http.HandlerFunc
		want    string
		refused bool
	}{
		{"404", http.NotFound, `the server answered "404 Not Found"`, false},
		{"204 instead of a body", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }, "204", false},
		{"gzip although identity was asked", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			fmt.Fprint(z, "x")
			z.Close()
		}, "compressed", true},
		{"another origin", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+"/x", http.StatusFound)
		}, "redirects to another origin, http://127.0.0.1:", true},
		{"redirect loop", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path+"x", http.StatusFound)
		}, "more than 5 times", true},
		{"honest length over the limit", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(int64(1)<<40))
			fmt.Fprint(w, "x")
		}, "larger than the limit of 10 bytes", true},
		{"endless", func(w http.ResponseWriter, _ *http.Request) { endless(w) }, "larger than the limit of 10 bytes", true},
		{"broken off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "9")
			fmt.Fprint(w, "x")
		}, "broke before its end", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := serve(t, tt.handler).Document(t.Context(), "connectors.json", 10)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("%v, want %q", err, tt.want)
			}
			var refused *manifest.Refusal
			var unreachable *fetch.UnreachableError
			if errors.As(err, &refused) != tt.refused || errors.As(err, &unreachable) == tt.refused {
				t.Errorf("%T", err)
			}
		})
	}
}

func TestRequest(t *testing.T) {
	files := map[string]string{"/feed/a/100%.txt": "percent", "/feed/a/q?x#y.txt": "marks", "/feed/moved": "moved"}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Accept-Encoding"); got != "identity" {
			t.Errorf("Accept-Encoding %q", got)
		}
		if r.URL.Path == "/feed/old" {
			http.Redirect(w, r, "/feed/moved", http.StatusMovedPermanently)
			return
		}
		fmt.Fprint(w, files[r.URL.Path])
	})
	s = open(t, s.String()+"/feed/", fetch.Options{})
	for name, want := range map[string]string{"a/100%.txt": "percent", "a/q?x#y.txt": "marks", "old": "moved"} {
		if got, err := s.Document(t.Context(), name, 100); string(got) != want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestDown(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	for base, why := range map[string]string{
		server.URL:                         "nothing listens there",
		filepath.Join(t.TempDir(), "gone"): "there is no such file or directory",
	} {
		_, err := open(t, base, fetch.Options{}).Document(t.Context(), "connectors.json", 10)
		var unreachable *fetch.UnreachableError
		if !errors.As(err, &unreachable) || !strings.Contains(err.Error(), "cannot read connectors.json from "+base+": "+why+";") {
			t.Errorf("%s: %v", base, err)
		}
	}
}

// That a feed does not have a file is told from a feed that is down.
func TestAbsent(t *testing.T) {
	for status, want := range map[int]bool{404: true, 410: true, 403: false, 500: false} {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
		if _, err := s.Document(t.Context(), "x", 10); errors.Is(err, fs.ErrNotExist) != want {
			t.Errorf("%d: %v", status, err)
		}
	}
	if _, err := open(t, t.TempDir(), fetch.Options{}).Document(t.Context(), "x", 10); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// A server that drips is cut off by the clock, also in the middle of a body.
func TestTimeout(t *testing.T) {
	for _, sendHeader := range []bool{false, true} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if sendHeader {
				fmt.Fprint(w, "x")
				w.(http.Flusher).Flush()
			}
			<-r.Context().Done()
		}))
		s := open(t, server.URL, fetch.Options{Timeout: 50 * time.Millisecond})
		_, err := s.Document(t.Context(), "x", 10)
		if err == nil || !strings.Contains(err.Error(), "no complete answer within 50ms") {
			t.Errorf("header sent %v: %v", sendHeader, err)
		}
		server.Close()
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	if _, err := s.Document(ctx, "x", 10); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestFile(t *testing.T) {
	full := bytes.Repeat([]byte("x"), manifest.MaxFile)
	for _, tt := range []struct {
		name string
		body []byte
		ok   bool
	}{
		{"empty", nil, true},
		{"small", []byte("hello"), true},
		{"exactly the cap", full, true},
		{"one more", append(full, 'x'), false},
	} {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.(http.Flusher).Flush() // so that no length is announced
			w.Write(tt.body)
		})
		var got bytes.Buffer
		err := s.File(t.Context(), "f", digest.Of(tt.body), &got)
		if (err == nil) != tt.ok || tt.ok && !bytes.Equal(got.Bytes(), tt.body) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if got.Len() > manifest.MaxFile {
			t.Errorf("%s: wrote %d bytes", tt.name, got.Len())
		}
	}
}

func TestFileTampered(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "evil") })
	err := s.File(t.Context(), "a/server.py", digest.Of([]byte("good")), io.Discard)
	var mismatch *digest.MismatchError
	if !errors.As(err, &mismatch) || mismatch.Path != "a/server.py" || mismatch.Got != digest.Of([]byte("evil")) {
		t.Error(err)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// A full disk is not the feed's fault.
func TestWriterFails(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "x") })
	err := s.File(t.Context(), "f", digest.Of([]byte("x")), fullDisk{})
	var unreachable *fetch.UnreachableError
	if !errors.Is(err, syscall.ENOSPC) || errors.As(err, &unreachable) {
		t.Error(err)
	}
}

func TestDirectory(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret")
	for path, content := range map[string]string{outside: "s", dir + "/a.json": "a", dir + "/sub/b": "b"} {
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	os.Symlink(outside, dir+"/out")
	os.Symlink("a.json", dir+"/in")
	if err := syscall.Mkfifo(dir+"/fifo", 0o644); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir, fetch.Options{})
	for name, want := range map[string]string{"a.json": "a", "sub/b": "b", "in": "a"} {
		if got, err := s.Document(t.Context(), name, 10); string(got) != want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"out", "fifo", "sub", "gone", "../secret"} {
		if got, err := s.Document(t.Context(), name, 10); err == nil {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestHTTPSWithOwnCA(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "x") }))
	defer server.Close()
	ca := filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(ca, block, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, server.URL, fetch.Options{}).Document(t.Context(), "x", 10); err == nil {
		t.Error("a certificate nobody trusts was accepted")
	}
	if got, err := open(t, server.URL, fetch.Options{CAFile: ca}).Document(t.Context(), "x", 10); string(got) != "x" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	os.WriteFile(ca, []byte("nothing"), 0o644)
	for _, file := range []string{ca, ca + ".gone"} {
		if _, err := fetch.Open(server.URL, fetch.Options{CAFile: file}); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("CA file %s: %v", file, err)
		}
	}
}
