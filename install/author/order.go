package author

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"github.com/go-json-experiment/json"

	"majordomo/configs/manifest"
)

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
