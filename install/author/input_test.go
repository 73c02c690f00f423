package author_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"majordomo/install/author"
	"majordomo/sandbox/sandboxtest"
)

func lint(t *testing.T, dir string) author.Report {
	t.Helper()
	report, err := author.Lint(dir)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// said is what lint says of a file, under this check.
func said(r author.Report, check, file string) string {
	var all []string
	for _, f := range r.Findings {
		if f.Check == check && f.File == file {
			all = append(all, f.Message)
		}
	}
	return strings.Join(all, "; ")
}

// Whatever is not the folder of a connector or a feed is told apart from one with faults.
func TestWrongFolder(t *testing.T) {
	dir := write(t, source())
	if err := os.Mkdir(dir+"/empty", 0o755); err != nil {
		t.Fatal(err)
	}
	release := func(dir string) error { _, err := author.Release(dir); return err }
	compile := func(dir string) error { _, err := author.Compile(dir); return err }
	check := func(dir string) error { _, err := author.Lint(dir); return err }
	for _, tt := range []struct {
		verb func(string) error
		dir  string
		want string
	}{
		{check, "nothing", "cannot check DIR/nothing: there is no such folder"},
		{check, "index.json", "cannot check DIR/index.json: it is a file"},
		{check, "empty", "cannot check DIR/empty: it has no connector.json and no fragment.json, as a connector would, and no index.json"},
		{check, "notes/run.sh/x", "cannot check DIR/notes/run.sh/x: a part of the path is a file"},
		{compile, "nothing", "cannot compile DIR/nothing: there is no such folder"},
		{compile, "notes", "cannot compile DIR/notes: it is a connector, name the feed that it is in"},
		{release, "", "cannot test DIR/: it is a feed, name one of its connectors: notes"},
		{release, "empty", "cannot test DIR/empty: it has no connector.json"},
	} {
		err := tt.verb(dir + "/" + tt.dir)
		var wrong *author.WrongFolderError
		if !errors.As(err, &wrong) || !strings.HasPrefix(strings.ReplaceAll(err.Error(), dir, "DIR"), tt.want) {
			t.Errorf("%s: %v, want %s", tt.dir, err, tt.want)
		}
	}
	if _, err := author.Lint("/"); err == nil {
		t.Error("checked the root of the file system")
	}
}

// A document that cannot be read is told in an author's words, by all three.
func TestUnreadableDocuments(t *testing.T) {
	for _, tt := range []struct{ name, document, text, want string }{
		{"comment", "notes/connector.json", "{\n  // version\n}", "it is not valid JSON: line 2: JSON has no comments"},
		{"trailing comma", "notes/fragment.json", "{\"id\": \"notes\",\n}", "line 1: a comma has nothing after it"},
		{"twice", "notes/fragment.json", `{"id":"notes","id":"notes"}`, `line 1: "id" is there twice`},
		{"bytes", "notes/connector.json", "{\"id\": \"\xff\"}", "line 1: it is not UTF-8"},
		{"UTF-16", "notes/connector.json", "\xff\xfe{\x00", "it is UTF-16, want UTF-8"},
		{"deep", "notes/connector.json", `{"a":` + strings.Repeat("[", 20000), "it is nested too deeply"},
		{"huge", "notes/connector.json", `{"a":"` + strings.Repeat("x", 1<<20) + `"}`, "it is larger than 1 MiB"},
		{"huge fragment", "notes/fragment.json", `{"a":"` + strings.Repeat("x", 1<<20) + `"}`, "it is larger than 1 MiB"},
		{"cut", "notes/connector.json", `{"id":"no`, "it ends before everything that was opened is closed"},
		{"null", "notes/fragment.json", "null", "it is null, want an object"},
		{"order", "index.json", `["notes",]`, "line 1: a comma has nothing after it"},
		{"order of what", "index.json", `[{"id":"notes"}]`, "what stands at /0 has the wrong type"},
	} {
		files := source()
		files[tt.document] = tt.text
		dir := write(t, files)
		check := "documents"
		if tt.document == "index.json" {
			check = "order"
		}
		if got := said(lint(t, dir), check, tt.document); !strings.Contains(got, tt.want) {
			t.Errorf("%s: lint says %q, want %s", tt.name, got, tt.want)
		}
		if _, err := author.Compile(dir); err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), tt.document) {
			t.Errorf("%s: compile says %v, want %s", tt.name, err, tt.want)
		}
	}
}

// A byte order mark is what an editor wrote; it is told, and all else is judged.
func TestByteOrderMarks(t *testing.T) {
	files := source()
	for _, name := range []string{"index.json", "notes/fragment.json", "notes/connector.json"} {
		files[name] = "\xef\xbb\xbf" + files[name]
	}
	dir := write(t, files)
	report := lint(t, dir)
	for _, name := range []string{"notes/fragment.json", "notes/connector.json"} {
		if got := said(report, "well-formed", name); !strings.Contains(got, "byte order mark") {
			t.Errorf("%s: %q", name, got)
		}
	}
	if _, err := author.Compile(dir); err != nil {
		t.Error(err)
	}
}

// What cannot be opened or is no file keeps nobody waiting and hides nothing else.
func TestOddFiles(t *testing.T) {
	dir := write(t, source())
	err := errors.Join(
		os.Symlink("run.sh", dir+"/notes/link.sh"), os.Symlink("nowhere", dir+"/notes/dangling"), os.Symlink("..", dir+"/notes/round"),
		syscall.Mkfifo(dir+"/notes/pipe", 0o644), os.Remove(dir+"/notes/fragment.json"), syscall.Mkfifo(dir+"/notes/fragment.json", 0o644),
		os.MkdirAll(dir+"/notes/requirements.txt", 0o755),
	)
	if err != nil {
		t.Fatal(err)
	}
	report := lint(t, dir)
	for file, want := range map[string]string{
		"notes/link.sh": "it is a link", "notes/dangling": "it is a link", "notes/round": "it is a link", "notes/pipe": "it is not a file",
	} {
		if got := said(report, "files", file); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %s", file, got, want)
		}
	}
	if got := said(report, "documents", "notes/fragment.json"); got != "it is not a file" {
		t.Errorf("%q", got)
	}
	if _, err := author.Compile(dir); err == nil {
		t.Error("compiled")
	}
}

// Root can read everything: it runs the test once more as somebody who cannot.
func TestUnreadableFile(t *testing.T) {
	if os.Geteuid() == 0 {
		sandboxtest.AsUser(t, "-test.run", "^"+t.Name()+"$")
		return
	}
	dir := write(t, source())
	for _, name := range []string{"notes/run.sh", "notes/lib"} {
		if err := os.Chmod(filepath.Join(dir, name), 0); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { os.Chmod(dir+"/notes/lib", 0o755) })
	report := lint(t, dir)
	for _, name := range []string{"notes/run.sh", "notes/lib"} {
		if got := said(report, "files", name); !strings.Contains(got, "it cannot be read: permission denied") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A folder that cannot be read hides nothing of the others, and is said once.
func TestUnreadableFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		sandboxtest.AsUser(t, "-test.run", "^"+t.Name()+"$")
		return
	}
	files := source()
	files["index.json"] = `["locked","notes","closed"]`
	files["locked/fragment.json"], files["closed/fragment.json"] = `{"id":"locked"}`, `{"id":"closed"}`
	dir := write(t, files)
	for _, name := range []string{"locked", "closed"} {
		if err := os.Chmod(filepath.Join(dir, name), 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(filepath.Join(dir, name), 0o755) })
	}
	report := lint(t, dir)
	for _, name := range []string{"locked", "closed"} {
		if got := said(report, "files", name); got != "it cannot be read: permission denied" {
			t.Errorf("%s: %q", name, got)
		}
	}
	if report.OK || said(report, "known-fields", "notes/fragment.json") == "" {
		t.Errorf("OK %v, %+v", report.OK, report.Findings)
	}
	for _, f := range report.Findings {
		if strings.HasPrefix(f.File, "locked/") {
			t.Errorf("%+v", f)
		}
	}
}

// A folder with more files than anybody installs is not read to its end.
func TestTooManyFiles(t *testing.T) {
	dir := write(t, source())
	for i := range 5000 {
		name := filepath.Join(dir, "notes", "f"+strings.Repeat("x", i%7)+string(rune('a'+i%26))+strings.Repeat("y", i/182))
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := said(lint(t, dir), "files", "notes"); !strings.Contains(got, "more than 4096 files") {
		t.Errorf("%q", got)
	}
}
