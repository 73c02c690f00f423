package manifest

import (
	"strings"
	"testing"

	"majordomo/configs/digest"
)

func TestWidens(t *testing.T) {
	base := func() Release {
		return Release{
			ID: "mail", Source: SourceLocal, Scope: ScopeUser, Command: "node", Args: []string{"index.js"},
			Auth: Auth{Kind: AuthAPIKey}, Env: []Env{{Name: "HOST"}, {Name: "KEY", Secret: true}},
			Verify: &Verify{Command: "node verify.js"},
			Files:  []File{{Path: "index.js"}, {Path: "verify.js"}, {Path: "icon.svg"}},
		}
	}
	for _, tt := range []struct {
		name   string
		change func(r *Release)
		want   string // kinds
	}{
		{"nothing", func(*Release) {}, ""},
		{"other bytes in the same files, as every update has", func(r *Release) { r.Files[0].SHA256 = digest.Of([]byte("x")) }, ""},
		{"less of everything", func(r *Release) { r.Env, r.Verify, r.Files = nil, nil, r.Files[:1] }, ""},
		{"words for people", func(r *Release) { r.Name, r.LLMDescription, r.Titles = "x", "y", map[string]string{"a": "b"} }, ""},
		{"a new plain value", func(r *Release) { r.Env = append(r.Env, Env{Name: "PORT"}) }, ""},
		{"a new secret", func(r *Release) { r.Env = append(r.Env, Env{Name: "PIN", Secret: true}) }, "secret"},
		{"a value becomes a secret", func(r *Release) { r.Env[0].Secret = true }, "secret"},
		{"a new file of code", func(r *Release) { r.Files = append(r.Files, File{Path: "lib/spy.js"}) }, "code"},
		{"a file without an ending may be a script", func(r *Release) { r.Files = append(r.Files, File{Path: "bin/tool"}) }, "code"},
		{"dependencies for the first time", func(r *Release) { r.Files = append(r.Files, File{Path: "package.json"}) }, "code"},
		{"new icons and words do not run", func(r *Release) {
			r.Files = append(r.Files, File{Path: "big.png"}, File{Path: "README.md"}, File{Path: "data/words.TXT"})
		}, ""},
		{"another entry file, shipped before", func(r *Release) { r.Args = []string{"verify.js"} }, "command"},
		{"another interpreter", func(r *Release) { r.Command = "sh" }, "command"},
		{"the member's files", func(r *Release) { r.Mounts = []string{MountFiles} }, "mount"},
		{"nothing to reach, said for the first time", func(r *Release) { r.Egress = []string{} }, ""},
		{"household", func(r *Release) { r.Scope = ScopeGlobal }, "scope"},
		{"remote", func(r *Release) { r.Source, r.Command, r.Args, r.URL = SourceRemote, "", nil, "https://x.example" }, "type"},
		{"another way to sign in", func(r *Release) { r.Auth = Auth{Kind: AuthQR} }, "auth"},
		{"a wider consent", func(r *Release) { r.Auth.Scopes = []string{"mail.send"} }, "auth"},
		{"another provider", func(r *Release) { r.Auth.Provider = "elsewhere" }, "auth"},
		{"another check", func(r *Release) { r.Verify = &Verify{Command: "sh -c evil"} }, "verify"},
		{"several", func(r *Release) { r.Mounts, r.Scope = []string{MountFiles}, ScopeGlobal }, "mount scope"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			next := base()
			tt.change(&next)
			var kinds []string
			for _, c := range Widens(base(), next) {
				kinds = append(kinds, c.Kind)
				if c.What == "" || strings.Contains(c.What, "%!") {
					t.Errorf("%s: %q", c.Kind, c.What)
				}
			}
			if got := strings.Join(kinds, " "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// The first check of a connector that had none is a change; and so is the first remote address.
func TestWidensFromNothing(t *testing.T) {
	changes := Widens(
		Release{Source: SourceRemote, URL: "https://a.example/mcp"},
		Release{Source: SourceRemote, URL: "https://b.example/mcp", Verify: &Verify{Command: "curl x"}})
	if len(changes) != 2 || changes[0].Kind != "command" || changes[1].Kind != "verify" {
		t.Errorf("got %+v", changes)
	}
}

// Who declares no hosts may reach all: to declare some is to ask for less, and to stop doing so for more.
func TestWidensEgress(t *testing.T) {
	hosts := func(list ...string) []string { return append([]string{}, list...) }
	for _, tt := range []struct {
		name      string
		old, next []string
		want      int
	}{
		{"declared for the first time", nil, hosts("a:1"), 0},
		{"the same", hosts("a:1", "b:2"), hosts("b:2", "a:1"), 0},
		{"fewer", hosts("a:1", "b:2"), hosts("a:1"), 0},
		{"another port and another host", hosts("a:1"), hosts("a:2", "b:1", "a:1"), 2},
		{"no longer declared", hosts("a:1"), nil, 1},
		{"something, after nothing", hosts(), hosts("a:1"), 1},
	} {
		got := Widens(Release{Egress: tt.old}, Release{Egress: tt.next})
		if len(got) != tt.want || tt.want > 0 && got[0].Kind != ChangeEgress {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
