package author

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"majordomo/configs/manifest"
)

// StaleError says that connectors.json is not what Compile makes now.
type StaleError struct{ Differences []string }

func (e *StaleError) Error() string {
	return fmt.Sprintf("%s is stale: %s; run `majordomo author compile`", indexName, strings.Join(e.Differences, "; "))
}

// Verify compiles and compares with the connectors.json in dir. A difference is
// a StaleError.
func Verify(dir string) error {
	want, err := Compile(dir)
	if err != nil {
		return err
	}
	have, err := read(os.DirFS(dir), indexName, manifest.MaxIndex)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", indexName, err)
	}
	if bytes.Equal(have, want) {
		return nil
	}
	return &StaleError{Differences: differences(have, want)}
}

// compiled is connectors.json by id.
type compiled struct {
	ids     []string
	entries map[string]map[string]jsontext.Value
}

func parse(text []byte) (compiled, error) {
	var doc struct {
		Connectors []map[string]jsontext.Value `json:"connectors"`
	}
	c := compiled{entries: map[string]map[string]jsontext.Value{}}
	if err := json.Unmarshal(text, &doc); err != nil {
		return c, errors.New(manifest.NotJSON(text, err, "an object"))
	}
	for _, entry := range doc.Connectors {
		id := strings.Trim(entry["id"].String(), `"`)
		c.ids = append(c.ids, id)
		c.entries[id] = entry
	}
	return c, nil
}

// differences says in words what changed from have to want.
func differences(have, want []byte) []string {
	old, err := parse(have)
	if err != nil {
		return []string{err.Error()}
	}
	now, err := parse(want)
	if err != nil {
		return []string{err.Error()}
	}
	var out []string
	for _, id := range now.ids {
		if old.entries[id] == nil {
			out = append(out, id+" is new")
			continue
		}
		out = append(out, changedMembers(id, old.entries[id], now.entries[id])...)
	}
	for _, id := range old.ids {
		if now.entries[id] == nil {
			out = append(out, id+" is gone")
		}
	}
	if len(out) == 0 && !slices.Equal(old.ids, now.ids) {
		out = append(out, "the order changed")
	}
	if len(out) == 0 {
		out = append(out, "its formatting differs")
	}
	return out
}

func changedMembers(id string, old, now map[string]jsontext.Value) []string {
	var out []string
	keys := slices.Sorted(maps.Keys(now))
	for key := range old {
		if now[key] == nil {
			keys = append(keys, key)
		}
	}
	for _, key := range keys {
		switch {
		case key == "files":
			out = append(out, changedFiles(id, old[key], now[key])...)
		case !sameValue(old[key], now[key]):
			out = append(out, id+": "+key+" changed")
		}
	}
	return out
}

func sameValue(a, b jsontext.Value) bool {
	a, b = a.Clone(), b.Clone()
	return a.Canonicalize() == nil && b.Canonicalize() == nil && bytes.Equal(a, b)
}

func changedFiles(id string, old, now jsontext.Value) []string {
	var before, after []manifest.File
	if json.Unmarshal(old, &before) != nil || json.Unmarshal(now, &after) != nil {
		return []string{id + ": files changed"}
	}
	was := manifest.Release{Files: before}
	is := manifest.Release{Files: after}
	var out []string
	for _, f := range after {
		if g, ok := was.File(f.Path); !ok {
			out = append(out, id+"/"+f.Path+" is new")
		} else if f != g {
			out = append(out, id+"/"+f.Path+" changed")
		}
	}
	for _, f := range before {
		if _, ok := is.File(f.Path); !ok {
			out = append(out, id+"/"+f.Path+" is gone")
		}
	}
	return out
}
