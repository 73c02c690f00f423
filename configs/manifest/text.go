package manifest

import (
	"bytes"
	"strings"
	"unicode"
)

// What strangers wrote, made fit to be read by people.

func replaceControl(s string) string {
	return strings.Map(func(r rune) rune {
		if isControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// oneLine makes a sentence that quotes a stranger fit for a terminal.
func oneLine(s string) string {
	return replaceControl(strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " "))
}

func isControl(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t'
}

// withoutBOM drops the byte order mark that some editors write.
func withoutBOM(data []byte, where string, problems *[]Problem) []byte {
	rest, found := bytes.CutPrefix(data, []byte("\xef\xbb\xbf"))
	if found {
		*problems = append(*problems, Problem{
			Severity: Warning, Where: where,
			What: "it starts with a byte order mark, which JSON does not allow",
			Hint: "save it as UTF-8 without BOM",
		})
	}
	return rest
}

// firstOf returns the first text that is not empty.
func firstOf(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}
