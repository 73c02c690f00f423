package author

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"majordomo/configs/manifest"
)

// lintFeed checks what only a whole feed can have wrong, and then each of its
// connectors.
func lintFeed(root fs.FS) ([]Finding, error) {
	var found []Finding
	in := func(check string) notes {
		return notes{check, func(name string) string { return name }, &found}
	}
	folders := orderNotes(root, in("order"))
	if err := listedNotes(root, folders, in("order")); err != nil {
		return nil, err
	}
	for _, folder := range folders {
		found = append(found, lintConnector(root, folder, func(name string) string { return path.Join(folder, name) })...)
	}
	indexNotes(root, folders, in)
	return found, nil
}

// orderNotes reads index.json and returns the folders that can be checked (guide §1a).
func orderNotes(root fs.FS, n notes) []string {
	ids, err := readOrder(root)
	if err != nil {
		n.fail(place{orderName, ""}, `write a list of ids, such as ["gmail", "notes"]`, "%v", err)
	}
	var folders []string
	for i, id := range ids {
		at := place{orderName, fmt.Sprintf("[%d]", i)}
		info, missing := fs.Stat(root, id)
		switch err := manifest.CheckID(id); {
		case err != nil:
			n.fail(at, "rename the connector", "%v", err)
		case slices.Contains(folders, id):
			n.fail(at, "list it once", "%s is listed twice", id)
		case missing != nil || !info.IsDir():
			n.fail(at, "create the folder, or take the id out", "there is no folder %s", id)
		default:
			folders = append(folders, id)
		}
	}
	return folders
}

// listedNotes finds connectors that nobody will see.
func listedNotes(root fs.FS, listed []string, n notes) error {
	all, err := fs.ReadDir(root, ".")
	for _, d := range all {
		if _, err := fs.Stat(root, path.Join(d.Name(), fragmentName)); err == nil && !slices.Contains(listed, d.Name()) {
			n.warn(place{d.Name(), ""}, "add its id to "+orderName, "it is not in %s, so it does not exist", orderName)
		}
	}
	return err
}

// indexNotes compares connectors.json, as it was compiled last, with what is there now.
func indexNotes(root fs.FS, folders []string, in func(string) notes) {
	at := place{indexName, ""}
	have, err := read(root, indexName, manifest.MaxIndex)
	if err != nil {
		in("compiled").warn(at, "run `majordomo author compile`", "%v", err)
		return
	}
	old, err := parse(have)
	if err != nil {
		in("compiled").fail(at, "run `majordomo author compile`", "%v", err)
		return
	}
	for _, id := range folders {
		now, err := entryOf(root, id)
		if err != nil || old.entries[id] == nil {
			continue // another check says so, or it is new
		}
		changes := changedMembers(id, old.entries[id], now)
		if was, is := number(old.entries[id]), number(now); len(changes) > 0 && is <= was {
			in("version-raised").fail(place{path.Join(id, manifest.Name), "version"}, "raise version by one in both documents",
				"it is %v and was %v when the index was compiled, but %s: nobody would be offered the update", is, was, strings.Join(changes, ", "))
		} else if label := (document{members: now}).str("version_string"); is > was && label != "" && label == (document{members: old.entries[id]}).str("version_string") {
			in("version-raised").warn(place{path.Join(id, manifest.Name), "version_string"}, "raise it, and version_release_date, in both documents",
				"it is still %s although version went from %v to %v: people see no difference", label, was, is)
		}
	}
	_, last, _ := lastAge(root, Age{})
	want, err := compile(root, folders, last)
	if err == nil && !bytes.Equal(have, want) {
		in("compiled").warn(at, "run `majordomo author compile`", "it is stale: %s", strings.Join(differences(have, want), "; "))
	}
}

// entryOf is one entry as it would be compiled now.
func entryOf(root fs.FS, id string) (map[string]jsontext.Value, error) {
	var out bytes.Buffer
	if err := compileEntry(jsontext.NewEncoder(&out), root, id); err != nil {
		return nil, err
	}
	var entry map[string]jsontext.Value
	return entry, json.Unmarshal(out.Bytes(), &entry)
}

// number is the version of an entry; what is none counts as 0.
func number(entry map[string]jsontext.Value) float64 {
	v, _ := document{members: entry}.value("version").(float64)
	return v
}
