package install

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

const lockNew = `{"lockfileVersion":3,"packages":{"":{"name":"x"},
	"node_modules/a":{"version":"1.2.0"},"node_modules/@s/b":{"version":"2.0.0"},
	"node_modules/a/node_modules/c":{"version":"1.0.0"},"node_modules/c":{"version":"3.0.0"},
	"node_modules/lint":{"version":"9.0.0","dev":true},"node_modules/here":{"link":true}}}`

func TestWantedOfNPM(t *testing.T) {
	root := `{"dependencies":{"a":"^1.0.0","@s/b":"~2"},"optionalDependencies":{"maybe":"*"},"devDependencies":{"lint":"9"}}`
	for name, tt := range map[string]struct {
		files map[string]string
		want  string // name=version, * = direct
	}{
		"ranges":          {map[string]string{"package.json": root}, "*@s/b=~2 *a=^1.0.0 *maybe=*"},
		"a lockfile":      {map[string]string{"package.json": root, "package-lock.json": lockNew}, "*@s/b=2.0.0 *a=1.2.0 *maybe=* c=1.0.0, 3.0.0"},
		"before npm 7":    {map[string]string{"package.json": root, "package-lock.json": `{"dependencies":{"a":{"version":"1.1.0","dependencies":{"c":{"version":"1"}}},"lint":{"version":"9","dev":true}}}`}, "*@s/b=~2 *a=1.1.0 *maybe=* c=1"},
		"shrinkwrap wins": {map[string]string{"package.json": "{}", "npm-shrinkwrap.json": `{"packages":{"node_modules/a":{"version":"1"}}}`, "package-lock.json": lockNew}, "a=1"},
		"BOM":             {map[string]string{"package.json": "\ufeff" + `{"dependencies":{"a":"1"}}`}, "*a=1"},
		"not a string":    {map[string]string{"package.json": `{"dependencies":{"a":{}}}`}, "*a="},
		"not JSON":        {map[string]string{"package.json": "{"}, "!"},
		"null":            {map[string]string{"package.json": "null", "package-lock.json": "null"}, ""},
	} {
		texts := map[string][]byte{}
		for file, text := range tt.files {
			texts[file] = []byte(text)
		}
		w, err := wanted("npm", texts)
		if got := spell(w); err == nil && got != tt.want || (err != nil) != (tt.want == "!") {
			t.Errorf("%s: %q, %v, want %q", name, got, err, tt.want)
		}
	}
}

func spell(w wants) string {
	var out []string
	for name, version := range w.versions {
		out = append(out, map[bool]string{true: "*"}[w.direct[name]]+name+"="+version)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func TestWantedOfPip(t *testing.T) {
	w, err := wanted("pip", map[string][]byte{"requirements.txt": []byte("Requests==2 # why\nbare\n-r more.txt\n")})
	if got := spell(w); err != nil || got != "*bare= *requests===2" {
		t.Errorf("%q, %v", got, err)
	}
}

// The plan names what changes, and fetches no more than it must to know.
func TestPlanOfDependencies(t *testing.T) {
	s := newShop(t)
	var asked atomic.Int64
	files := http.FileServer(http.Dir(s.dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	i := newInstaller(t, server.URL, t.TempDir())
	lock := func(a string) string {
		return fmt.Sprintf(`{"packages":{"node_modules/a":{"version":%q},"node_modules/deep":{"version":"1"}}}`, a)
	}
	root := `{"dependencies":{"a":"^1"}}`
	s.publish("notes", 1, map[string]string{"package.json": root, "package-lock.json": lock("1.0"), "requirements.txt": "x==1\ngone\n", "big": "x"})
	want := func(r Request, requests int64, want ...Dependency) {
		t.Helper()
		asked.Store(0)
		p := mustPlan(t, i, r)
		if !slices.Equal(p.Dependencies, want) || asked.Load() != requests || len(p.Notes) != 0 {
			t.Errorf("%d requests, %+v, %v; want %+v", asked.Load(), p.Dependencies, p.Notes, want)
		}
	}
	r := Request{ID: "notes", AcceptWider: true}
	want(r, 2+3, Dependency{"npm", "a", "", "1.0", true}, Dependency{"npm", "deep", "", "1", false},
		Dependency{"pip", "gone", "", "any", true}, Dependency{"pip", "x", "", "==1", true})
	mustInstall(t, i, "notes")
	want(r, 2)
	s.publish("notes", 2, map[string]string{"package.json": root, "package-lock.json": lock("1.1"), "requirements.txt": "x==1\n", "big": "x"})
	want(r, 2+2, Dependency{"npm", "a", "1.0", "1.1", true}, Dependency{"pip", "gone", "any", "", true})
	s.publish("notes", 2, nil)
	want(r, 2, Dependency{"npm", "a", "1.0", "", true}, Dependency{"npm", "deep", "1", "", false},
		Dependency{"pip", "gone", "any", "", true}, Dependency{"pip", "x", "==1", "", true})

	// What cannot be read is said, and is no reason to refuse: npm may know better.
	s.publish("notes", 2, map[string]string{"package.json": "{"})
	if p := mustPlan(t, i, r); len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "what npm will install is not known") || p.Refused != "" {
		t.Errorf("%+v", p)
	}
	// A file that is not the listed one is.
	s.write("notes/package.json", "{}")
	if _, err := i.Plan(t.Context(), r); err == nil || !strings.Contains(err.Error(), "notes/package.json does not match its digest") {
		t.Error(err)
	}
	if _, err := os.Stat(i.paths.Staging()); err == nil {
		clean(t, i)
	}
	whole(t, i, "notes", 1)
}

// Where the files come from is said; a directory is no host.
func TestPlanOfHosts(t *testing.T) {
	s := newShop(t)
	s.publish("notes", 1, nil)
	server := httptest.NewServer(http.FileServer(http.Dir(s.dir)))
	defer server.Close()
	p := mustPlan(t, newInstaller(t, server.URL, t.TempDir()), Request{ID: "notes"})
	if len(p.Hosts) != 1 || "http://"+p.Hosts[0].Host != server.URL {
		t.Errorf("%+v", p.Hosts)
	}
	i := newInstaller(t, s.dir, t.TempDir())
	if p := mustPlan(t, i, Request{ID: "notes"}); len(p.Hosts) != 0 {
		t.Errorf("%+v", p.Hosts)
	}
	s.unlisted("notes/connector.json", `{"type":"mcp_remote","mcp_config":{"url":"https://mcp.example.org/mcp?token={SECRET:x}"}}`)
	if p := mustPlan(t, i, Request{ID: "notes"}); len(p.Hosts) != 1 || p.Hosts[0].Host != "mcp.example.org" {
		t.Errorf("%+v", p.Hosts)
	}
}
