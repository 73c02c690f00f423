package api

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"majordomo/configs"
	"majordomo/configs/database"
	"majordomo/configs/manifest"
	"majordomo/install"
	"majordomo/install/author"
	"majordomo/install/feed"
)

// shop installs one connector for each set of icons: the small one, the large one, and what is shipped.
func shop(t *testing.T, connectors map[string]map[string]string) *Server {
	t.Helper()
	dir, state := t.TempDir(), t.TempDir()
	write := func(name string, v any) {
		text, isText := v.(string)
		if !isText {
			data, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			text = string(data)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var ids []string
	for id, icons := range connectors {
		head := map[string]any{"id": id, "version": 1, "type": "mcp_local"}
		manifest := map[string]any{"id": id, "version": 1, "type": "mcp_local",
			"mcp_config": map[string]any{"command": "sh", "args": []string{"run.sh"}}}
		write(id+"/run.sh", "#!/bin/sh\n")
		for size, file := range icons {
			head["icon_"+size] = id + "/" + file
			write(id+"/"+file, "<svg>"+file+"</svg>")
		}
		write(id+"/fragment.json", head)
		write(id+"/connector.json", manifest)
		ids = append(ids, id)
	}
	write("index.json", ids)
	index, err := author.Compile(dir)
	if err != nil {
		t.Fatal(err)
	}
	write("connectors.json", string(index))
	installer := newInstaller(t, dir, state)
	for _, id := range ids {
		if _, err := installer.Install(t.Context(), install.Request{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	return &Server{o: Options{Installer: installer}}
}

func newInstaller(t *testing.T, base, state string) *install.Installer {
	t.Helper()
	paths := configs.Paths{State: state}
	db, err := database.Open(paths.Database())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	f, err := feed.New(feed.Options{Base: base})
	if err != nil {
		t.Fatal(err)
	}
	installer, err := install.New(t.Context(), install.Options{Paths: paths, Feed: f, DB: db})
	if err != nil {
		t.Fatal(err)
	}
	if err := installer.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	return installer
}

func TestIcon(t *testing.T) {
	s := shop(t, map[string]map[string]string{
		"both":  {"small": "icon_sm.svg", "large": "icon_lg.PNG"},
		"small": {"small": "icon.webp"},
		"none":  {},
		"page":  {"small": "icon.html"},
	})
	for _, tt := range []struct {
		ask, kind, body string
		refusal         Kind
	}{
		{"both", "image/svg+xml", "<svg>icon_sm.svg</svg>", ""},
		{"both?size=sm", "image/svg+xml", "<svg>icon_sm.svg</svg>", ""},
		{"both?size=lg", "image/png", "<svg>icon_lg.PNG</svg>", ""}, // by its name, whatever is in it
		{"small?size=lg", "image/webp", "<svg>icon.webp</svg>", ""}, // better than nothing
		{"both?size=huge", "", "", Usage},
		{"none", "", "", NotFound},
		{"page", "", "", NotFound}, // not a picture
		{"absent", "", "", NotFound},
	} {
		id, _, _ := strings.Cut(tt.ask, "?")
		req := httptest.NewRequest("GET", "/v1/icons/"+tt.ask, nil)
		req.SetPathValue("id", id)
		w := httptest.NewRecorder()
		err := s.icon(w, &request{Request: req})
		if tt.refusal != "" {
			if err == nil || asError(err).Kind != tt.refusal || w.Body.Len() != 0 {
				t.Errorf("%s: %v", tt.ask, err)
			}
			continue
		}
		h := w.Header()
		if err != nil || w.Body.String() != tt.body || h.Get("Content-Type") != tt.kind {
			t.Errorf("%s: %q as %s, %v", tt.ask, w.Body, h.Get("Content-Type"), err)
		}
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Content-Security-Policy") != "default-src 'none'; style-src 'unsafe-inline'; sandbox" {
			t.Errorf("%s: %v", tt.ask, h)
		}
	}
}

// A package whose icon has gone, or leads out of it, has none.
func TestIconStaysInside(t *testing.T) {
	s := shop(t, map[string]map[string]string{"mail": {"small": "icon.svg"}})
	p, err := s.o.Installer.Package(t.Context(), "mail")
	if err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(t.TempDir(), "secret.svg")
	if err := os.WriteFile(secret, []byte("s"), 0o600); err != nil {
		t.Fatal(err)
	}
	ask := func() error {
		req := httptest.NewRequest("GET", "/v1/icons/mail", nil)
		req.SetPathValue("id", "mail")
		return s.icon(httptest.NewRecorder(), &request{Request: req})
	}
	icon := filepath.Join(p.Dir, "icon.svg")
	if err := os.Remove(icon); err != nil {
		t.Fatal(err)
	}
	if err := ask(); err == nil || asError(err).Kind != NotFound {
		t.Errorf("gone: %v", err)
	}
	if err := os.Symlink(secret, icon); err != nil {
		t.Fatal(err)
	}
	if err := ask(); err == nil || asError(err).Kind != NotFound {
		t.Errorf("leading out: %v", err)
	}
}

// A feed may say that a picture is small; what is there counts.
func TestIconIsBounded(t *testing.T) {
	s := shop(t, map[string]map[string]string{"notes": {"small": "sm.svg"}})
	p, err := s.o.Installer.Package(t.Context(), "notes")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(p.Dir, "sm.svg"), manifest.MaxIcon+1); err != nil {
		t.Fatal(err)
	}
	r := &request{Request: httptest.NewRequest("GET", "/v1/icons/notes", nil)}
	r.SetPathValue("id", "notes")
	if err := s.icon(httptest.NewRecorder(), r); err == nil || !strings.Contains(err.Error(), "1048577 bytes, more than the limit of 1 MiB") {
		t.Errorf("got %v", err)
	}
}
