package configs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNotes(t *testing.T) {
	dir := unpack(t, "notes")
	c := start(t, dir)
	c.works("list_notes", `{}`, "No notes")
	milk := id(c.works("add_note", `{"title":"Milk\nand bread","text":"zwei Liter – \ud83e\udd5b\nsecond line"}`, "Milk and bread"))
	bike := id(c.works("add_note", `{"title":"Bike"}`, "Bike"))
	c.works("read_note", `{"id":"`+milk+`"}`, "zwei Liter – 🥛\nsecond line")
	c.works("search_notes", `{"query":"LITER"}`, milk)
	c.works("search_notes", `{"query":"plane"}`, "No note")
	if list := c.works("list_notes", `{}`, milk); strings.Index(list, bike) > strings.Index(list, milk) {
		t.Errorf("the newest note is not the first:\n%s", list)
	}
	c.works("delete_note", `{"id":"`+bike+`"}`, "Bike")
	c.fails("read_note", `{"id":"`+bike+`"}`, "there is none")
	c.end()

	again := start(t, dir)
	again.works("list_notes", `{}`, milk)
	again.end()
	checkPrivate(t, filepath.Join(dir, "notes"), milk+".json")
}

// What a model gets wrong comes back as a sentence, and harms nothing.
func TestNotesRefuses(t *testing.T) {
	c := start(t, unpack(t, "notes"))
	for args, want := range map[string]string{
		`{"id":"../server"}`:      "is not an id",
		`{"id":"/etc/passwd"}`:    "is not an id",
		`{"id":"0123abcd\u0000"}`: "is not an id",
		`{"id":"0123abcd"}`:       "there is none",
		`{"id":7}`:                "must be a text",
		`{}`:                      "id is missing",
		`{"id":"x","more":"y"}`:   "no argument more",
		`[1]`:                     "must be an object",
	} {
		c.fails("delete_note", args, want)
	}
	c.fails("add_note", `{"title":"  "}`, "empty")
	c.fails("add_note", `{"title":"`+strings.Repeat("x", 201)+`"}`, "at most")
	c.works("list_notes", `{}`, "No notes")
	c.end()
}

// A disk that takes no more, or a folder that is not ours to write, is a failed call and not the end of the server.
func TestNotesCannotSave(t *testing.T) {
	dir := unpack(t, "notes")
	if err := os.WriteFile(filepath.Join(dir, "notes"), nil, 0o600); err != nil { // a file where the folder should be
		t.Fatal(err)
	}
	c := start(t, dir)
	c.fails("add_note", `{"title":"Milk"}`, "add_note failed")
	c.end()
}

// id is the first word after "Added".
func id(added string) string { return strings.Fields(added)[1] }

// checkPrivate fails unless dir holds exactly this file and both are closed to others.
func checkPrivate(t *testing.T, dir, name string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 || entries[0].Name() != name {
		t.Fatalf("%s holds %v, want only %s", dir, entries, name)
	}
	for path, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, name): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s is %v (%v), want %v", path, info.Mode(), err, want)
		}
	}
}
