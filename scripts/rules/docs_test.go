package rules

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	testName   = regexp.MustCompile(`\bTest[A-Z]\w*`)
	testOrRoom = regexp.MustCompile("`[a-z][a-z0-9/-]*`|" + testName.String())
	testHead   = regexp.MustCompile(`\| test( .*)? \|$`)
)

// What a page promises with a test's name is shown by a test that exists: where the page names a room
// before it, in that room.
func TestNamedTestsExist(t *testing.T) {
	known := testsOfTheTree(t)
	for name, text := range pages(t) {
		room := "" // stays until a paragraph or table ends, or another is named
		for line := range strings.Lines(text) {
			if strings.TrimSpace(line) == "" {
				room = ""
			}
			for _, word := range testOrRoom.FindAllString(line, -1) {
				if dir := strings.Trim(word, "`"); dir != word {
					if known[dir] != nil {
						room = dir
					}
				} else if !slices.Contains(known[room], word) {
					t.Errorf("%s names %s, and no test of %q has that name: %s", name, word, room, line)
				}
			}
		}
	}
}

// A table with a column of tests leaves none empty; a dash says that there is nothing to show.
func TestEveryRowNamesItsTest(t *testing.T) {
	for name, text := range pages(t) {
		inTable := false
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if !strings.HasPrefix(line, "|") {
				inTable = false
			} else if testHead.MatchString(line) {
				inTable = true
			} else if cells := strings.Split(strings.Trim(line, "|"), "|"); inTable && !testName.MatchString(cells[len(cells)-1]) && !strings.HasPrefix(line, "|--") {
				t.Errorf("%s: this row names no test: %s", name, line)
			}
		}
	}
}

// pages are the texts for people at the root and in docs, by name.
func pages(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{"../../*.md", "../../docs/*.md"} {
		files, _ := filepath.Glob(pattern) // the only error is a malformed pattern
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all[strings.TrimPrefix(file, "../../")] = string(text)
		}
	}
	if len(all) < 5 {
		t.Fatalf("found only %d pages", len(all))
	}
	return all
}

// testsOfTheTree are the names of tests by the directory they are in, and all of them under "".
func testsOfTheTree(t *testing.T) map[string][]string {
	t.Helper()
	declared := regexp.MustCompile(`(?m)^func (Test[A-Z]\w*)\(`)
	all := map[string][]string{}
	walk(t, func(path string) {
		if !strings.HasSuffix(path, "_test.go") {
			return
		}
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range declared.FindAllSubmatch(text, -1) {
			dir, test := filepath.ToSlash(filepath.Dir(path)), string(found[1])
			all[dir], all[""] = append(all[dir], test), append(all[""], test)
		}
	})
	return all
}
