package author

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"majordomo/configs/humanize"
	"majordomo/configs/manifest"
)

// check reads the compiled index as an installer would, and compares what it
// says with the manifests: where they differ, people are shown one thing and get
// the other (guide §1e).
func check(root fs.FS, compiled []byte) error {
	if len(compiled) > manifest.MaxIndex {
		return fmt.Errorf("cannot compile %s: it would be larger than %s, which nobody could read", indexName, humanize.Bytes(manifest.MaxIndex))
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
	return errors.Join(append(faults, checkAgreement(root, entry.ID, text))...)
}

func checkAgreement(root fs.FS, id string, text []byte) error {
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
