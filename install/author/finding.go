package author

import (
	"cmp"
	"fmt"
	"slices"

	"majordomo/configs/manifest"
)

// Finding is one thing that is wrong, or doubtful, with a connector or a feed.
type Finding struct {
	Check    string `json:"check"`          // its name in docs/authoring.md
	Severity string `json:"severity"`       // error | warning
	File     string `json:"file"`           // relative to the folder that was checked; "." is that folder
	Path     string `json:"path,omitempty"` // the place in a JSON document, such as env[2].name
	Message  string `json:"message"`
	Fix      string `json:"fix"`
}

// Report is everything that lint found, by file and in the order of the checks.
type Report struct {
	OK       bool      `json:"ok"` // no errors; warnings are allowed
	Errors   int       `json:"errors"`
	Warnings int       `json:"warnings"`
	Findings []Finding `json:"findings"`
}

func newReport(found []Finding) Report {
	r := Report{Findings: found}
	if found == nil {
		r.Findings = []Finding{} // a list, for whoever reads the JSON
	}
	for _, f := range found {
		if f.Severity == manifest.Error {
			r.Errors++
		}
	}
	r.Warnings = len(found) - r.Errors
	r.OK = r.Errors == 0
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return cmp.Compare(a.File, b.File) })
	return r
}

// place is where something stands: a file in the connector's folder and, in a
// JSON document, a path.
type place struct{ file, path string }

func inManifest(format string, args ...any) place {
	return place{manifest.Name, fmt.Sprintf(format, args...)}
}

func inFragment(format string, args ...any) place {
	return place{fragmentName, fmt.Sprintf(format, args...)}
}

// notes collects what one check finds.
type notes struct {
	check string
	file  func(name string) string // how a file of the connector is called in the report
	found *[]Finding
}

func (n notes) add(severity string, at place, fix, message string) {
	*n.found = append(*n.found, Finding{
		Check: n.check, Severity: severity, File: n.file(at.file), Path: at.path, Fix: fix, Message: message,
	})
}

func (n notes) fail(at place, fix, format string, args ...any) {
	n.add(manifest.Error, at, fix, fmt.Sprintf(format, args...))
}

func (n notes) warn(at place, fix, format string, args ...any) {
	n.add(manifest.Warning, at, fix, fmt.Sprintf(format, args...))
}
