package author_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"majordomo/install/author"
)

// plain.golden.json was made from testdata/plain by a Python script that does what the guide's §1d
// says of its compiler, with Python's json: a feed that is flat compiles to the same bytes here.
func TestCompileIsTheGuides(t *testing.T) {
	want, err := os.ReadFile("testdata/plain.golden.json")
	if err != nil {
		t.Fatal(err)
	}
	got, err := author.Compile("testdata/plain")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v\n%s", err, got)
	}
}

// Nothing of where and when a feed lies somewhere gets into its index.
func TestCompileIsDeterministic(t *testing.T) {
	files := source()
	want, err := author.Compile(write(t, files))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	slices.Reverse(names)
	dir := t.TempDir()
	for i, name := range names { // the last first, closed to others, and of another age each
		path := filepath.Join(dir, name)
		at := time.Unix(int64(i)*1e6, 0)
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(files[name]), 0o700), os.Chtimes(path, at, at))
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"LC_ALL", "LANG", "TZ"} {
		t.Setenv(name, "tr_TR.UTF-8")
	}
	t.Chdir(dir)
	if got, err := author.Compile("."); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}
