package manifest

import (
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Index is a parsed connectors.json, in its own order.
type Index struct {
	Entries  []Entry
	Sequence int64     // grows with every publication; 0 when there is none
	Expires  time.Time // not to be believed afterwards; zero when there is none
	Problems []Problem // of the index as a whole
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
