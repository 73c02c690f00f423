package api

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"majordomo/configs/digest"
	"majordomo/configs/manifest"
	"majordomo/install/feed"
)

// listing is a feed of one connector, listed as version 2 by the index.
func listing(t *testing.T, document string) feed.Listing {
	t.Helper()
	dir := t.TempDir()
	index := fmt.Sprintf(`{"connectors":[{"id":"mail","version":2,"icon_small":"mail/icon.svg","tags":["post"],"files":[
		{"path":"run.sh","sha256":%[1]q},{"path":"icon.svg","sha256":%[1]q},{"path":"connector.json","sha256":%[2]q}]}]}`,
		digest.Of(nil), digest.Of([]byte(document)))
	for name, text := range map[string]string{"connectors.json": index, "mail/connector.json": document} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := feed.New(feed.Options{Base: dir})
	if err != nil {
		t.Fatal(err)
	}
	l, err := f.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return l
}

const mailManifest = `{"version":%d,"type":"mcp_local","mcp_config":{"command":"sh","args":["run.sh"]},
	"auth":{"type":"oauth2","scopes":["read"],"delivery":"env"}}`

// A card has every field that clients of the guide know, and nothing in it is null but the version of what is not there.
func TestCard(t *testing.T) {
	got := card(t, feedOf(listing(t, fmt.Sprintf(mailManifest, 2)), nil))
	for name, want := range map[string]string{
		"id": `"mail"`, "name": `"mail"`, "version": "2", "scope": `"per_user"`, "source": `"local_script"`, "transport": `"stdio"`,
		"requires": "[]", "tags": `["post"]`, "dependencies": "[]", "setup_instructions": "[]", "env": "[]", "problems": "[]",
		"auth_kind": `"oauth"`, "auth_delivery": `"env"`, "oauth_scopes": `["read"]`, "file_count": "3", "has_icon": "true",
		"installed": "0", "installed_version": "null", "update_available": "false",
	} {
		if string(got[name]) != want {
			t.Errorf("%s is %s, want %s", name, got[name], want)
		}
	}
}

func card(t *testing.T, f Feed) map[string]json.RawMessage {
	t.Helper()
	text, err := json.Marshal(f.Connectors[0])
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	return fields
}

// here is what is on this disk.
func here(id string, version int) map[string]manifest.Release {
	return map[string]manifest.Release{id: {ID: id, Version: version}}
}

// A version that is missing is not 0: it is older than every version there is, and nothing without one is ever an update.
func TestUpdateAvailable(t *testing.T) {
	none := manifest.Release{ID: "mail", Unversioned: true}
	for name, tt := range map[string]struct {
		installed map[string]manifest.Release
		offered   string
		want      string // installed, its version, update
	}{
		"nothing":                       {nil, "2", "false null false"},
		"another":                       {here("other", 1), "2", "false null false"},
		"older":                         {here("mail", 1), "2", "true 1 true"},
		"the same":                      {here("mail", 2), "2", "true 2 false"},
		"newer":                         {here("mail", 3), "2", "true 3 false"},
		"version 0 is a version":        {here("mail", 0), "2", "true 0 true"},
		"from none to one":              {map[string]manifest.Release{"mail": none}, "2", "true null true"},
		"from none to 0":                {map[string]manifest.Release{"mail": none}, "0", "true null true"},
		"from one to none":              {here("mail", 3), "null", "true 3 false"},
		"from 0 to none":                {here("mail", 0), "null", "true 0 false"},
		"from none to none":             {map[string]manifest.Release{"mail": none}, "null", "true null false"},
		"from one to what is no number": {here("mail", 0), `"new"`, "true 0 false"},
	} {
		l := listing(t, strings.Replace(mailManifest, "%d", tt.offered, 1))
		if tt.offered != "2" {
			l = unlisted(t, strings.Replace(mailManifest, "%d", tt.offered, 1))
		}
		got := card(t, feedOf(l, tt.installed))
		if said := fmt.Sprintf("%s %s %s", got["is_installed"], got["installed_version"], got["update_available"]); said != tt.want {
			t.Errorf("%s: %s, want %s", name, said, tt.want)
		}
		if version := string(got["version"]); version != strings.ReplaceAll(tt.offered, `"new"`, "null") {
			t.Errorf("%s: version %s", name, version)
		}
	}
}

// unlisted is a feed whose index says nothing of versions.
func unlisted(t *testing.T, document string) feed.Listing {
	t.Helper()
	idx, err := manifest.ParseIndex([]byte(`{"connectors":[{"id":"mail"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return feed.Listing{Releases: []manifest.Release{idx.Entries[0].Release([]byte(document))}}
}

// Where index and manifest disagree about the version the card says so; the manifest counts, and it can be installed.
func TestVersionDesync(t *testing.T) {
	f := feedOf(listing(t, fmt.Sprintf(mailManifest, 3)), here("mail", 2))
	c := f.Connectors[0]
	if len(c.Problems) != 1 || c.Problems[0].Severity != manifest.Warning || !strings.Contains(c.Problems[0].What, "it is 3 but the index says 2") {
		t.Errorf("%v", c.Problems)
	}
	if c.Version == nil || *c.Version != 3 || !c.UpdateAvailable || c.Installable() != nil {
		t.Errorf("version %v, update %v, %v", c.Version, c.UpdateAvailable, c.Installable())
	}
}

func TestFeedOf(t *testing.T) {
	l := listing(t, fmt.Sprintf(mailManifest, 2))
	if f := feedOf(l, nil); f.URL != l.Base || f.BaseURL != l.Base || f.Signed || f.Stale || f.Problems == nil {
		t.Errorf("%+v", f)
	}
	l.Signed, l.Stale, l.Age = true, "it is down", time.Minute
	if f := feedOf(l, nil); !f.Signed || !f.Stale || f.Reason != "it is down" || f.AgeMS != 60000 {
		t.Errorf("%+v", f)
	}
}
