// Package declared reads what a connector says that it depends on: its package.json, npm's lockfile and its
// requirements.txt (guide §5). It alone knows these formats: who builds trees, who tells what an install will bring, and
// who lints a folder all read with it.
//
// The files come from strangers. The package must never open one, run a tool or resolve a version: it is given text, and says what
// stands there. It starts no goroutines.
package declared

import (
	"bytes"
	"errors"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"majordomo/configs/manifest"
)

// The files at the top of a connector's folder that make npm and pip install something.
const (
	PackageFile      = "package.json"
	RequirementsFile = "requirements.txt"
)

// Lockfiles are npm's, in the order in which it looks for them.
var Lockfiles = []string{"npm-shrinkwrap.json", "package-lock.json"}

// Files are those that a tool, "npm" or "pip", goes by.
func Files(tool string) []string {
	if tool == "pip" {
		return []string{RequirementsFile}
	}
	return append([]string{PackageFile}, Lockfiles...)
}

// Any is true of a package that ships a file by which npm or pip installs something.
func Any(files []manifest.File) bool {
	return slices.ContainsFunc(files, func(f manifest.File) bool { return f.Path == PackageFile || f.Path == RequirementsFile })
}

// parse reads a JSON document as npm does, to which a name that is there twice is no fault. Its error is for people.
func parse(text []byte, into any) error {
	text = withoutBOM(text)
	if err := json.Unmarshal(text, into, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return errors.New(manifest.NotJSON(text, err, "an object"))
	}
	return nil
}

// withoutBOM forgives a byte order mark, as npm and pip do.
func withoutBOM(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }
