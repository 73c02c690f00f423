package configs_test

import (
	"encoding/json"
	"io/fs"
	"path"
	"reflect"
	"strings"
	"testing"

	"majordomo/configs"
)

// document is a JSON document of the example feed.
func document(t *testing.T, into any, name ...string) {
	t.Helper()
	text, err := fs.ReadFile(configs.ExampleFeed(), path.Join(name...))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", path.Join(name...), err)
	}
}

func feedIDs(t *testing.T) []string {
	t.Helper()
	var ids []string
	document(t, &ids, "index.json")
	if len(ids) != 5 {
		t.Fatalf("the example feed has %v", ids)
	}
	return ids
}

// What stands in both documents of a connector has to say the same in both (guide §9).
func TestFeedDocumentsAgree(t *testing.T) {
	both := []string{"id", "name", "version", "version_string", "version_release_date", "type", "scope", "requires", "tags", "auth"}
	for _, id := range feedIDs(t) {
		var fragment, manifest map[string]any
		document(t, &fragment, id, "fragment.json")
		document(t, &manifest, id, "connector.json")
		for _, key := range both {
			if fragment[key] == nil || !reflect.DeepEqual(fragment[key], manifest[key]) {
				t.Errorf("%s: %s is %v in fragment.json and %v in connector.json", id, key, fragment[key], manifest[key])
			}
		}
		if fragment["id"] != id {
			t.Errorf("the folder %s holds the connector %v", id, fragment["id"])
		}
	}
}

func TestFeedManifests(t *testing.T) {
	for _, id := range feedIDs(t) {
		var m struct {
			Config struct{ Args []string } `json:"mcp_config"`
			Docs   []struct {
				LLM string `json:"llm_short_description"`
			}
			Small string `json:"icon_small"`
			Large string `json:"icon_large"`
		}
		document(t, &m, id, "connector.json")
		if len(m.Docs) == 0 || m.Docs[0].LLM == "" {
			t.Errorf("%s: nothing tells a model what it is for", id)
		}
		for _, file := range []string{m.Config.Args[0], m.Small, m.Large} {
			if _, err := fs.Stat(configs.ExampleFeed(), path.Join(id, file)); err != nil {
				t.Errorf("%s: connector.json names a file that is not there: %v", id, err)
			}
		}
	}
}

// A lockfile with addresses would install from somebody else's registry, past what the host configured.
func TestFeedLocksNameNoRegistry(t *testing.T) {
	for _, id := range []string{"everything", "files"} {
		text, err := fs.ReadFile(configs.ExampleFeed(), path.Join(id, "package-lock.json"))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), `"resolved"`) {
			t.Errorf("%s: package-lock.json has addresses; make it with omit-lockfile-registry-resolved=true", id)
		}
		if !strings.Contains(string(text), `"integrity"`) {
			t.Errorf("%s: package-lock.json has no digests", id)
		}
	}
}
