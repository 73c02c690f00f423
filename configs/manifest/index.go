package manifest

import (
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"majordomo/configs/digest"
)

// Index is a parsed connectors.json, in its own order.
type Index struct {
	Entries  []Entry
	Sequence int64     // grows with every publication; 0 when there is none
	Expires  time.Time // not to be believed afterwards; zero when there is none
	Problems []Problem // of the index as a whole
}

// Entry is one connector as the index declares it, not yet merged with its
// manifest. An entry that makes no sense is still an Entry, with Problems.
type Entry struct {
	ID, Folder, Name                      string
	versions                              versions
	typ, scope                            string
	userDescription, smallIcon, largeIcon string
	requires, tags                        []string
	files                                 []File
	problems                              []Problem
}

// versions is the version trio (guide §7).
type versions struct {
	number      int
	known       bool
	text, dated string
}

// ParseIndex reads connectors.json. It fails only when there is no list of
// connectors to be found at all; whatever is wrong with one entry stays with
// that entry. Of two entries with one id the second is the bad one.
func ParseIndex(data []byte) (Index, error) {
	var idx Index
	data = withoutBOM(data, "index", &idx.Problems)
	var doc struct {
		Connectors []jsontext.Value `json:"connectors"`
		Sequence   jsontext.Value   `json:"sequence"`
		Expires    jsontext.Value   `json:"expires"`
	}
	// Duplicate names and bad UTF-8 are judged entry by entry.
	err := json.Unmarshal(data, &doc, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return Index{}, errors.New(NotJSON(data, err, "an object"))
	}
	if doc.Connectors == nil {
		return Index{}, errors.New(`it has no "connectors" list`)
	}
	idx.age(doc.Sequence, doc.Expires)
	if n := len(doc.Connectors); n > MaxEntries {
		idx.Problems = append(idx.Problems, Problem{
			Severity: Warning, Where: "index",
			What: fmt.Sprintf("it lists %d connectors, only the first %d are shown", n, MaxEntries),
		})
		doc.Connectors = doc.Connectors[:MaxEntries]
	}
	seen := map[string]bool{}
	for i, raw := range doc.Connectors {
		e := parseEntry(i, raw)
		if e.ID != "" && seen[e.ID] {
			e.fail("id", "an earlier entry has the same id, that one counts")
		}
		seen[e.ID] = true
		idx.Entries = append(idx.Entries, e)
	}
	return idx, nil
}

// age reads what a publisher says about the age of the index. What cannot be
// read is an error: it was meant to be believed.
func (idx *Index) age(sequence, expires jsontext.Value) {
	o := object{
		members: map[string]jsontext.Value{"sequence": sequence, "expires": expires},
		where:   "index:", problems: &idx.Problems, severity: Error,
	}
	idx.Sequence, _ = o.integer("sequence")
	text := o.str("expires")
	if text == "" {
		return
	}
	var err error
	if idx.Expires, err = time.Parse(time.RFC3339, text); err != nil {
		o.report(Error, "expires", "want a time like 2030-01-31T00:00:00Z, got %.60q", text)
	}
}

func parseEntry(i int, raw jsontext.Value) Entry {
	var e Entry
	o, err := parseObject(raw, "index:", &e.problems)
	if err != nil {
		e.fail(fmt.Sprintf("entry %d", i+1), NotJSON(raw, err, "an object"))
		return e
	}
	e.ID = o.strict().str("id")
	e.Folder = o.strict().str("folder")
	if e.Folder == "" {
		e.Folder = e.ID
	}
	e.Name = o.str("name")
	e.versions = o.versions()
	e.typ, e.scope = o.str("type"), o.str("scope")
	e.userDescription = o.str("user_description")
	e.smallIcon = firstOf(o.str("icon_small"), o.str("small_icon"))
	e.largeIcon = firstOf(o.str("icon_large"), o.str("large_icon"))
	e.requires, e.tags = o.strs("requires"), o.strs("tags")
	e.files = o.files()
	e.checkNames()
	return e
}

// checkNames treats id and folder like what they become: paths.
func (e *Entry) checkNames() {
	if err := CheckID(e.ID); err != nil {
		e.fail("id", err.Error())
	}
	if err := CheckID(e.Folder); err != nil && e.Folder != e.ID {
		e.fail("folder", err.Error())
	}
}

func (e *Entry) fail(key, what string) {
	e.problems = append(e.problems, Problem{Severity: Error, Where: "index: " + key, What: oneLine(what)})
}

// Named reports whether the entry's id and folder are fit to be used in paths.
// Without that its manifest must not even be asked for.
func (e Entry) Named() bool { return CheckID(e.ID) == nil && CheckID(e.Folder) == nil }

// ListsManifest reports whether the index vouches for the entry's manifest with
// a digest.
func (e Entry) ListsManifest() bool {
	_, ok := Release{Files: e.files}.File(Name)
	return ok
}

func (o object) versions() versions {
	number, known := o.integer("version")
	if number > 1<<53 {
		o.report(Warning, "version", "it is too large to compare, so it is ignored")
		number, known = 0, false
	}
	return versions{int(number), known, o.str("version_string"), o.str("version_release_date")}
}

// files reads files[]. A file that cannot be read is an error of the release: a
// package is whole or it is not installed.
func (o object) files() []File {
	var out []File
	strict := o.strict()
	strict.each("files", func(_ int, item object) {
		if len(out) > MaxFiles {
			return // one too many is enough to be refused
		}
		f := File{Path: item.str("path")}
		f.Size, _ = item.integer("size")
		sum, err := digest.Parse(item.str("sha256"))
		if err != nil {
			item.report(Error, "sha256", "%s", err)
		}
		f.SHA256 = sum
		out = append(out, f)
	})
	return out
}
