package declared

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestEmptyRequirements(t *testing.T) {
	for text, want := range map[Requirements]bool{
		"": true, "# nothing\n\n": true, "--index-url http://a.test\n": true, "-c constraints.txt": true, "--extra-index-url http://a.test": true,
		"mcp==1.0": false, "\ufeffmcp": false, "# x\n  mcp >= 1": false, "-r more.txt": false, "-rmore.txt": false, "-e .": false,
		"--requirement=more.txt": false, "--editable=.": false, "# x \\\nmcp": false,
	} {
		if got := text.Empty(); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestLines(t *testing.T) {
	text := Requirements("\ufeff# words\r\na==1 \\\r\n  --hash=sha256:x\r\n\r\nb # why\n# no \\\nc@https://x.test/c#egg=c\nlast \\")
	var got []string
	for number, line := range text.Lines() {
		got = append(got, fmt.Sprintf("%d:%s", number, line))
	}
	want := []string{"2:a==1   --hash=sha256:x", "5:b", "7:c@https://x.test/c#egg=c", "8:last"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for range text.Lines() {
		break // an iterator that is left early must not go on
	}
}

func TestRequirementVersions(t *testing.T) {
	text := Requirements("\ufeff# words\r\nRequests == 2.31 ; python_version > '3'\r\nuvicorn[standard]>=0.2,<1  # why\nbare\n-r more.txt\n--index-url https://x.test\n" +
		"hashed==1.0 \\\n    --hash=sha256:abc\nZope..Interface~=5\nmine @ https://x.test/mine.whl\nhttps://x.test/other.whl\n./local.whl\n")
	want := "bare= hashed===1.0 mine=@ https://x.test/mine.whl requests=== 2.31 ; python_version > '3' uvicorn=[standard]>=0.2,<1 zope-interface=~=5"
	if got := spelled(text.Versions()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAddresses(t *testing.T) {
	text := Requirements("a==1\nb @ https://x.test/b.whl\n-e git+ssh://x.test/c#egg=c\nhttps://x.test/d.whl\n-i https://index.test\n--find-links https://links.test\n-r more.txt\n")
	if got, want := strings.Join(text.Addresses(), " "), "https://x.test/b.whl git+ssh://x.test/c#egg=c https://x.test/d.whl"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := text.Included(); !slices.Equal(got, []string{"more.txt"}) {
		t.Error(got)
	}
	if got := Requirements("x\n -e ./lib\n--editable=git+https://x.test/c\n").NotEditable(); got != "x\n ./lib\ngit+https://x.test/c\n" {
		t.Errorf("%q", got)
	}
}
