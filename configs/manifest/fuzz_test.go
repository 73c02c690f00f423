package manifest

import (
	"strings"
	"testing"
	"unicode"
)

// Whatever a feed sends: no panic, and what is called installable really is
// safe to put on disk and to run.
func FuzzRelease(f *testing.F) {
	f.Add([]byte(`{"connectors":[`+string(goodEntry.json())+`]}`), goodManifest.json())
	f.Add([]byte(`{"connectors":[{"id":"a","files":[{"path":"../x"}]}]}`), []byte(`{"mcp_config":{"args":[]}}`))
	f.Add([]byte("\xef\xbb\xbf{\"connectors\":[null,{}]}"), []byte(`<html>`))
	f.Fuzz(func(t *testing.T, index, manifest []byte) {
		idx, err := ParseIndex(index)
		if err != nil {
			return
		}
		for _, e := range idx.Entries {
			r := e.Release(manifest)
			for _, p := range r.Problems {
				if strings.ContainsFunc(p.String(), unicode.IsControl) {
					t.Errorf("a problem with control characters: %q", p)
				}
			}
			if r.Installable() == nil {
				checkInstallable(t, r)
			}
		}
	})
}

func checkInstallable(t *testing.T, r Release) {
	if CheckID(r.ID) != nil || CheckID(r.Folder) != nil {
		t.Errorf("installable with id %q, folder %q", r.ID, r.Folder)
	}
	for _, file := range r.Files {
		if CheckPath(file.Path) != nil || file.SHA256.IsZero() || file.Size > MaxFile {
			t.Errorf("installable with file %+v", file)
		}
	}
	if r.Source == SourceRemote && r.Command != "" {
		t.Errorf("a remote with command %q", r.Command)
	}
	if r.Source == SourceLocal {
		if _, shipped := r.File(r.Args[0]); !shipped || commands[r.Command] != "" {
			t.Errorf("installable with %q %q", r.Command, r.Args)
		}
	}
}
