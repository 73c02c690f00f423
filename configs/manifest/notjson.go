package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// NotJSON says in plain words, and with the line, why data could not be read as
// want ("an object", "a list"): err is what reading it said. Whoever wrote it by
// hand has to find the place.
func NotJSON(data []byte, err error, want string) string {
	text := bytes.TrimSpace(data)
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")):
		return "it is UTF-16, want UTF-8"
	case len(text) == 0:
		return "it is empty"
	case text[0] == '<':
		return "it is a web page, not JSON"
	}
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	if deep, is := errors.AsType[*json.SemanticError](err); is && deep.JSONPointer != "" {
		return fmt.Sprintf("what stands at %.80s has the wrong type", deep.JSONPointer)
	}
	if !ok {
		return "it is " + kindOf(text) + ", want " + want
	}
	at := int(min(syntax.ByteOffset, int64(len(data))))
	line := 1 + bytes.Count(data[:at], []byte("\n"))
	return fmt.Sprintf("it is not valid JSON: line %d: %s", line, whySyntax(data, at, syntax))
}

// whySyntax names the faults that people make; the others are told as they come.
func whySyntax(data []byte, at int, err *jsontext.SyntacticError) string {
	rest, before := bytes.TrimLeft(data[at:], " \t\r\n"), bytes.TrimRight(data[:at], " \t\r\n")
	next := func(chars string) bool { return len(rest) > 0 && strings.IndexByte(chars, rest[0]) >= 0 }
	closes := func(b []byte) bool { return len(b) > 0 && (b[0] == '}' || b[0] == ']') }
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return fmt.Sprintf("%q is there twice", err.JSONPointer.LastToken())
	case errors.Is(err, io.ErrUnexpectedEOF), err.Err.Error() == "unexpected EOF":
		return "it ends before everything that was opened is closed"
	case strings.Contains(err.Err.Error(), "max depth"):
		return "it is nested too deeply"
	case strings.Contains(err.Err.Error(), "UTF-8"):
		return "it is not UTF-8"
	case next("/#"):
		return "JSON has no comments"
	case next(",") && closes(bytes.TrimLeft(rest[1:], " \t\r\n")), next("]}") && bytes.HasSuffix(before, []byte(",")):
		return "a comma has nothing after it"
	case next("'"):
		return "names and texts have double quotes"
	}
	return oneLine(fmt.Sprintf("%.120s", err.Err.Error()))
}

func kindOf(text []byte) string {
	switch text[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case 'n':
		return "null"
	}
	return fmt.Sprintf("%.20q", text)
}
