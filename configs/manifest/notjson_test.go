package manifest

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// What people get wrong is named, with its line; nothing is in a programmer's words.
func TestNotJSON(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "it is empty",
		" \n":                                  "it is empty",
		"<html>":                               "it is a web page, not JSON",
		"\xff\xfe{\x00}\x00":                   "it is UTF-16, want UTF-8",
		"[]":                                   "it is a list, want an object",
		"7":                                    `it is "7", want an object`,
		`"x"`:                                  "it is a text, want an object",
		"// c\n{}":                             "line 1: JSON has no comments",
		"{\n\"a\": 1 // one\n}":                "line 2: JSON has no comments",
		"{\"a\": /* x */ 1}":                   "line 1: JSON has no comments",
		"{\n \"a\": 1,\n}":                     "line 2: a comma has nothing after it",
		"{\"a\": [1,\n],\"b\":1}":              "a comma has nothing after it",
		"{\"a\": [,]}":                         "line 1: a comma has nothing after it",
		"{\n\"a\":1,\n\"a\":2}":                `line 3: "a" is there twice`,
		"{\"env\":{\"x~/y\":1,\"x~/y\":2}}":    `line 1: "x~/y" is there twice`,
		"{\n\"a\":\"\xff\"}":                   "line 2: it is not UTF-8",
		"{\"a\": {":                            "line 1: it ends before everything that was opened is closed",
		"{'a':1}":                              "line 1: names and texts have double quotes",
		"{\"a\":" + strings.Repeat("[", 20000): "line 1: it is nested too deeply",
		"{a:1}":                                "line 1: invalid character 'a' at start of value",
		"{\"a\":1 \"b\"}":                      "line 1: invalid character '\"' after object value",
		"{\"a\":1} }":                          "line 1: invalid character '}' after top-level value",
		"{\"a\":\"x\ny\"}":                     "line 1: invalid character '\\n' in string",
	} {
		var members map[string]jsontext.Value
		err := json.Unmarshal([]byte(text), &members)
		if err == nil {
			t.Fatalf("%q is fine", text)
		}
		if got := NotJSON([]byte(text), err, "an object"); !strings.Contains(got, want) || strings.Contains(got, "json") || len(got) > 200 {
			t.Errorf("%.60q: %s, want %s", text, got, want)
		}
	}
}
