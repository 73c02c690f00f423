package author

import (
	"bytes"
	"errors"
	"io/fs"
	"path"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"majordomo/configs/manifest"
)

// fragmentName is the index entry beside the manifest, kept by hand (guide §1b).
const fragmentName = "fragment.json"

// document is one of the documents of a connector as its author wrote it.
type document struct {
	name    string                    // fragment.json or connector.json
	members map[string]jsontext.Value // nil when it could not be read
	marked  bool                      // it begins with a byte order mark
}

// readDocument reads a document as tolerantly as package manifest does.
func readDocument(root fs.FS, folder, name string) (document, error) {
	text, err := read(root, path.Join(folder, name), manifest.MaxManifest)
	if err != nil {
		return document{name: name}, err
	}
	return parseDocument(name, text)
}

func parseDocument(name string, text []byte) (document, error) {
	d := document{name: name, marked: bytes.HasPrefix(text, byteOrderMark)}
	text = bytes.TrimPrefix(text, byteOrderMark)
	if err := json.Unmarshal(text, &d.members); err != nil || d.members == nil {
		d.members = nil // half a document would be judged for what it lacks
		return d, errors.New(manifest.NotJSON(text, err, "an object"))
	}
	return d, nil
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// has reports whether the document says anything under key.
func (d document) has(key string) bool {
	v := d.members[key]
	return v != nil && v.Kind() != 'n'
}

// sameInBoth are the members that the guide wants identical in both documents
// (guide §9).
var sameInBoth = []string{"version", "version_string", "version_release_date", "type", "scope", "auth", "tags", "requires"}

// disagreement is a member that both documents have and that they contradict
// each other in.
type disagreement struct {
	key                string
	fragment, manifest string // what they say, on one line
}

func (d disagreement) String() string {
	return d.key + " is " + d.fragment + " in " + fragmentName + " and " + d.manifest + " in " + manifest.Name
}

func disagreements(fragment, doc document) []disagreement {
	var all []disagreement
	for _, key := range sameInBoth {
		a, b := fragment.members[key], doc.members[key]
		if fragment.has(key) && doc.has(key) && !sameValue(a, b) {
			all = append(all, disagreement{key: key, fragment: compact(a), manifest: compact(b)})
		}
	}
	return all
}

func compact(v jsontext.Value) string {
	v = v.Clone()
	if err := v.Compact(); err != nil {
		return "not JSON"
	}
	return string(v)
}

// value is what stands under key, decoded, or nil.
func (d document) value(key string) any {
	var v any
	if !d.has(key) || json.Unmarshal(d.members[key], &v) != nil {
		return nil
	}
	return v
}

// str is the text under key, or under the last of keys in the objects before it.
func (d document) str(keys ...string) string {
	v := d.value(keys[0])
	for _, key := range keys[1:] {
		v = member(v, key)
	}
	s, _ := v.(string)
	return s
}

func (d document) list(key string) []any { return items(d.value(key)) }

// empty reports whether key says nothing: absent, null, or a list of nothing.
func (d document) empty(key string) bool {
	list, isList := d.value(key).([]any)
	return !d.has(key) || isList && len(list) == 0
}

func member(v any, key string) any {
	o, _ := v.(map[string]any)
	return o[key]
}

func text(v any, key string) string {
	s, _ := member(v, key).(string)
	return s
}

func items(v any) []any {
	list, _ := v.([]any)
	return list
}
