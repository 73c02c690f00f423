package deps

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReach(t *testing.T) {
	refusing := httptest.NewServer(http.NotFoundHandler())
	refusing.Close()
	answering := func(status int) *httptest.Server {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "" {
				t.Error("a credential was sent")
			}
			w.WriteHeader(status)
		}))
		t.Cleanup(s.Close)
		return s
	}
	private := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(private.Close)
	ca := write(t, filepath.Join(t.TempDir(), "ca.pem"), certificate(private))
	for _, c := range []struct {
		name string
		s    settings
		says string // "" = reachable
	}{
		{"an answer", settings{registry: answering(200).URL}, ""},
		{"a refusal is an answer", settings{registry: strings.Replace(answering(401).URL, "http://", "http://u:p@", 1)}, ""},
		{"out of order", settings{registry: answering(503).URL}, "it answers 503"},
		{"nobody there", settings{registry: refusing.URL}, "nothing listens there"},
		{"an authority of one's own", settings{registry: private.URL, cas: []string{ca}}, ""},
		{"an unknown authority", settings{registry: private.URL}, "certificate"},
		{"an unknown authority, not looked at", settings{registry: private.URL, insecure: true}, ""},
		{"through a proxy", settings{registry: "http://registry.invalid/", proxy: answering(200).URL}, ""},
		{"through a proxy of the environment", settings{registry: "http://registry.invalid/", env: []string{"HTTP_PROXY=" + answering(200).URL}}, ""},
	} {
		err := reach(t.Context(), c.s)
		if (c.says == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
}

func TestReachable(t *testing.T) {
	tool(t, "npm")
	tool(t, "pip")
	npm := newNPMRegistry(t)
	down := httptest.NewServer(http.NotFoundHandler())
	down.Close()
	b := New(Options{Environ: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "npm_config_registry=" + npm.URL, "PIP_INDEX_URL=" + down.URL,
	}})
	got := b.Reachable(t.Context())
	if got["npm"] != nil || got["pip"] == nil || len(got) != 2 {
		t.Errorf("got %v", got)
	}
}
