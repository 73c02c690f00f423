package manifest

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"majordomo/configs/digest"
)

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
