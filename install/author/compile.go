package author

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"majordomo/configs/manifest"
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
