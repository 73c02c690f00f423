package install

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"majordomo/configs/manifest"
)

func mustPlan(t *testing.T, i *Installer, r Request) Plan {
	t.Helper()
	p, err := i.Plan(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A plan says everything an install will do, and does nothing.
func TestPlan(t *testing.T) {
	s := newShop(t)
	s.publish("notes", 1, map[string]string{"lib/old.py": "a", "same.py": "b", "icon.png": "p"})
	i := newInstaller(t, s.dir, t.TempDir())
	first := mustPlan(t, i, Request{ID: "notes"})
	if first.Action != ActionInstall || first.Installed != 0 || first.Version != 1 || len(first.Files) != 5 || len(first.Widens) != 0 {
		t.Errorf("%+v", first)
	}
	whole(t, i, "notes", 0)
	mustInstall(t, i, "notes")

	s.publish("notes", 2, map[string]string{"lib/new.py": "aa", "same.py": "b", "requirements.txt": "x==1"})
	p := mustPlan(t, i, Request{ID: "notes", Update: true})
	var files []string
	var bytes int64
	for _, f := range p.Files {
		files = append(files, f.Path+" "+f.Change)
		if f.Change != FileDropped {
			bytes += f.Size
		}
	}
	want := []string{
		"connector.json changed", "icon.png dropped", "lib/new.py new", "lib/old.py dropped",
		"requirements.txt new", "run.sh changed", "same.py kept",
	}
	if !slices.Equal(files, want) {
		t.Errorf("files %q", files)
	}
	if p.Action != ActionUpdate || p.Installed != 1 || p.Version != 2 || p.Bytes != bytes || p.Bytes == 0 || p.Runtime != "sh" ||
		p.Scope != manifest.ScopeUser || !slices.Equal(p.DependencyFiles, []string{"requirements.txt"}) ||
		!slices.Equal(p.Dependencies, []Dependency{{"pip", "x", "", "==1", true}}) || !p.Consent || !strings.Contains(p.Refused, "--accept-wider") {
		t.Errorf("%+v", p)
	}
	var kinds []string
	for _, c := range p.Widens {
		kinds = append(kinds, c.Kind)
	}
	if !slices.Equal(kinds, []string{manifest.ChangeCode, manifest.ChangeCode}) {
		t.Errorf("widens: %+v", p.Widens)
	}
	whole(t, i, "notes", 1)
	clean(t, i)
	if text, err := json.Marshal(p); err != nil || strings.Contains(string(text), "null") {
		t.Errorf("%s, %v", text, err)
	}
}

// The plan and the deed agree on what is allowed.
func TestPlanSaysWhatInstallSays(t *testing.T) {
	other := map[string]string{"extra": "x"}
	for _, tt := range []struct {
		name    string
		offered int
		files   map[string]string
		request Request
		action  string
		want    string // refusal; "" = done
	}{
		{"forward", 3, nil, Request{Update: true}, ActionUpdate, ""},
		{"the same again", 2, nil, Request{}, ActionReinstall, ""},
		{"update to the same", 2, nil, Request{Update: true}, ActionReinstall,
			"cannot update notes: version 2 is installed and the feed offers nothing newer"},
		{"update to the same, on request", 2, nil, Request{Update: true, AllowDowngrade: true}, ActionReinstall, ""},
		{"other bytes", 2, other, Request{}, ActionReplace, "cannot install notes: the feed offers other files under the installed version 2"},
		{"update to other bytes", 2, other, Request{Update: true}, ActionReplace,
			"cannot update notes: the feed offers other files under the installed version 2"},
		{"other bytes, on request", 2, other, Request{AllowDowngrade: true, AcceptWider: true}, ActionReplace, ""},
		{"back", 1, nil, Request{}, ActionDowngrade, "cannot install notes: the feed offers version 1, which is older than the installed version 2"},
		{"back, on request", 1, nil, Request{Update: true, AllowDowngrade: true}, ActionDowngrade, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newShop(t)
			s.publish("notes", 2, nil)
			i := newInstaller(t, s.dir, t.TempDir())
			mustInstall(t, i, "notes")
			s.publish("notes", tt.offered, tt.files)
			tt.request.ID = "notes"
			p := mustPlan(t, i, tt.request)
			if p.Action != tt.action || !strings.HasPrefix(p.Refused, tt.want) || (p.Refused == "") != (tt.want == "") {
				t.Errorf("%+v", p)
			}
			_, err := i.Install(t.Context(), tt.request)
			if tt.want == "" {
				if err != nil {
					t.Error(err)
				}
				whole(t, i, "notes", tt.offered)
				return
			}
			refusedWith(t, err, p.Refused)
			whole(t, i, "notes", 2)
		})
	}
}

func TestPlanOfWhatCannotBe(t *testing.T) {
	s := newShop(t)
	s.publish("notes", 1, nil)
	i := newInstaller(t, s.dir, t.TempDir())
	var absent *NotInstalledError
	if _, err := i.Plan(t.Context(), Request{ID: "notes", Update: true}); !errors.As(err, &absent) {
		t.Errorf("update of what is not here: %v", err)
	}
	if _, err := i.Plan(t.Context(), Request{ID: "other"}); err == nil || !strings.Contains(err.Error(), `cannot find connector "other"`) {
		t.Errorf("what is not offered: %v", err)
	}
	s.unlisted("notes/connector.json", `{"type":"mcp_remote","mcp_config":{"url":"https://example.org"}}`)
	if p := mustPlan(t, i, Request{ID: "notes"}); !strings.Contains(p.Refused, "it is a remote connector") {
		t.Errorf("%+v", p)
	}
}

// A release without a version is never a step forward, and any version is one from it.
func TestUnversioned(t *testing.T) {
	const none = `{"id":"notes","type":"mcp_local","mcp_config":{"command":"sh","args":["run.sh"]}}`
	s := newShop(t)
	i := newInstaller(t, s.dir, t.TempDir())
	offer := func(version int, text string) {
		s.publish("notes", version, nil)
		if text != "" {
			s.unlisted("notes/connector.json", text)
			s.edit("connectors.json", `"version": `, `"was": `)
		}
	}
	try := func(action, refusal string, r Request) {
		t.Helper()
		r.ID = "notes"
		p := mustPlan(t, i, r)
		if p.Action != action || (refusal == "") != (p.Refused == "") || !strings.Contains(p.Refused, refusal) {
			t.Errorf("%s, %q; want %s, %q", p.Action, p.Refused, action, refusal)
		}
	}
	offer(1, none)
	try(ActionInstall, "", Request{})
	mustInstall(t, i, "notes")
	try(ActionReinstall, "release without a version is installed and the feed offers nothing newer", Request{Update: true})
	offer(2, none) // run.sh is another
	try(ActionReplace, "other files under the installed release without a version", Request{Update: true})
	offer(0, "")
	try(ActionUpdate, "", Request{Update: true})
	if _, err := i.Install(t.Context(), Request{ID: "notes", Update: true}); err != nil {
		t.Fatal(err)
	}
	offer(1, none)
	try(ActionDowngrade, "the feed offers a release without a version, which is older than the installed version 0", Request{})
	try(ActionDowngrade, "", Request{AllowDowngrade: true})
}
