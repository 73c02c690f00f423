// Package author is for people who write connectors: it compiles a feed's
// index from what they keep by hand.
//
// It must never change a source document, and never write: callers decide where
// the compiled index goes. It starts no goroutines.
package author

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"majordomo/configs/manifest"
)

// The documents at the root of a feed (guide §1).
const (
	orderName = "index.json"      // by hand: the ids in display order
	indexName = "connectors.json" // what Compile makes
)

// Compile builds connectors.json for the feed in dir from index.json, each
// folder's fragment.json and the files in the folder, sub-folders included. The
// same input gives the same bytes; the connectors.json that is there belongs to
// the input when it has a sequence, which then grows with every change. It refuses what nobody could install; errors
// name the file.
func Compile(dir string) ([]byte, error) { return CompileAged(dir, Age{}) }

// compile writes the index of these connectors.
func compile(root fs.FS, ids []string, a age) ([]byte, error) {
	var out bytes.Buffer
	enc := jsontext.NewEncoder(&out, jsontext.WithIndent("  "))
	tokens := []jsontext.Token{jsontext.BeginObject}
	if a.sequence > 0 {
		tokens = append(tokens, jsontext.String("sequence"), jsontext.Int(a.sequence))
	}
	if !a.expires.IsZero() {
		tokens = append(tokens, jsontext.String("expires"), jsontext.String(a.expires.UTC().Format(time.RFC3339)))
	}
	for _, t := range append(tokens, jsontext.String("connectors"), jsontext.BeginArray) {
		if err := enc.WriteToken(t); err != nil {
			return nil, err
		}
	}
	var faults []error
	for _, id := range ids {
		faults = append(faults, compileEntry(enc, root, id))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err // of all connectors: an author wants to hear it once
	}
	if err := errors.Join(enc.WriteToken(jsontext.EndArray), enc.WriteToken(jsontext.EndObject)); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// order reads index.json.
func order(root fs.FS) ([]string, error) {
	ids, err := readOrder(root)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", orderName, err)
	}
	seen := map[string]bool{}
	for _, id := range ids {
		if err := manifest.CheckID(id); err != nil {
			return nil, fmt.Errorf("cannot use %s: %w", orderName, err)
		}
		if seen[id] {
			return nil, fmt.Errorf("cannot use %s: %s is listed twice", orderName, id)
		}
		seen[id] = true
	}
	return ids, nil
}

// readOrder reads index.json as it is.
func readOrder(root fs.FS) (ids []string, err error) {
	text, err := read(root, orderName, manifest.MaxManifest)
	if err != nil {
		return nil, err
	}
	text = bytes.TrimPrefix(text, byteOrderMark)
	if err = json.Unmarshal(text, &ids); err != nil {
		return nil, errors.New(manifest.NotJSON(text, err, "a list of connector ids"))
	}
	return ids, nil
}

// compileEntry writes fragment.json as the author ordered it, with files[] at
// its end.
func compileEntry(enc *jsontext.Encoder, root fs.FS, id string) error {
	name := id + "/" + fragmentName
	text, err := read(root, name, manifest.MaxManifest)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", name, err)
	}
	text = bytes.TrimPrefix(text, byteOrderMark)
	fragment, err := parseDocument(fragmentName, text)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", name, err)
	}
	if fragment.str("id") != id || fragment.has("folder") && fragment.str("folder") != id {
		return fmt.Errorf("cannot use %s: id and folder must be %q, the name of its folder", name, id)
	}
	files, bad, err := scan(root, id)
	if err := errors.Join(append(bad, err)...); err != nil {
		return err
	}
	if err := copyMembers(enc, text); err != nil {
		return fmt.Errorf("cannot read %s: %w", name, err)
	}
	return errors.Join(
		enc.WriteToken(jsontext.String("files")),
		json.MarshalEncode(enc, files),
		enc.WriteToken(jsontext.EndObject))
}

// copyMembers writes the object in text without its end and without files[].
func copyMembers(enc *jsontext.Encoder, text []byte) error {
	dec := jsontext.NewDecoder(bytes.NewReader(text))
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	if err := enc.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for dec.PeekKind() != '}' {
		key, err := dec.ReadToken()
		if err != nil {
			return err
		}
		key = key.Clone()
		value, err := dec.ReadValue()
		if err != nil {
			return err
		}
		if key.String() == "files" {
			continue
		}
		if err := errors.Join(enc.WriteToken(key), enc.WriteValue(value)); err != nil {
			return err
		}
	}
	return nil
}

// check reads the compiled index as an installer would, and compares what it
// says with the manifests: where they differ, people are shown one thing and get
// the other (guide §1e).
func check(root fs.FS, compiled []byte) error {
	if len(compiled) > manifest.MaxIndex {
		return fmt.Errorf("cannot compile %s: it would be larger than %d MiB, which nobody could read", indexName, manifest.MaxIndex>>20)
	}
	idx, err := manifest.ParseIndex(compiled)
	if err != nil {
		return fmt.Errorf("cannot use the compiled %s: %w", indexName, err)
	}
	if len(idx.Problems) > 0 {
		return fmt.Errorf("cannot use the compiled %s: %s", indexName, idx.Problems[0].What)
	}
	var faults []error
	for _, entry := range idx.Entries {
		faults = append(faults, checkEntry(root, entry))
	}
	return errors.Join(faults...)
}

func checkEntry(root fs.FS, entry manifest.Entry) error {
	text, err := read(root, entry.ID+"/"+manifest.Name, manifest.MaxManifest)
	if err != nil {
		return fmt.Errorf("cannot read %s/%s: %w", entry.ID, manifest.Name, err)
	}
	var faults []error
	for _, p := range entry.Release(text).Problems {
		if p.Severity == manifest.Error {
			where := strings.Replace(p.String(), "index:", fragmentName+":", 1)
			faults = append(faults, fmt.Errorf("cannot compile %s/%s", entry.ID, where))
		}
	}
	return errors.Join(append(faults, agree(root, entry.ID, text))...)
}

func agree(root fs.FS, id string, text []byte) error {
	fragment, err := readDocument(root, id, fragmentName)
	if err != nil {
		return fmt.Errorf("cannot read %s/%s: %w", id, fragmentName, err)
	}
	doc, err := parseDocument(manifest.Name, text)
	if err != nil {
		return nil // the reader that installs connectors has said so
	}
	var differ []string
	for _, d := range disagreements(fragment, doc) {
		differ = append(differ, d.String())
	}
	if len(differ) > 0 {
		return fmt.Errorf("cannot compile %s: %s; say the same in both", id, strings.Join(differ, "; "))
	}
	return nil
}
