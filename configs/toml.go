package configs

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"
)

// decode reads TOML text over what c already holds. It is strict: a key that means nothing is an error, because a
// misspelt setting that is silently ignored is found out too late.
func decode(file, text string, c *Config) error {
	meta, err := toml.Decode(text, c)
	if err != nil {
		return fmt.Errorf("cannot read the configuration: %s:%s", file, where(err))
	}
	var unknown []error
	for _, key := range meta.Undecoded() {
		if len(key) > 1 && !known(key[:len(key)-1]) {
			continue // its table was reported already
		}
		unknown = append(unknown, fmt.Errorf("cannot read the configuration: %s:%d: unknown key %q; did you mean %q?",
			file, lineOf(text, key), key, nearest(key.String())))
	}
	return errors.Join(unknown...)
}

// where says an error of the library as `12: key "limits.pids": reason`. Errors of a value with the wrong type carry their
// line in the text only.
func where(err error) string {
	at, ok := errors.AsType[toml.ParseError](err)
	switch {
	case !ok:
		return wrongType(err.Error())
	case at.LastKey == "":
		return fmt.Sprintf("%d: %s", at.Position.Line, at.Message)
	}
	return fmt.Sprintf("%d: key %q: %s", at.Position.Line, at.LastKey, at.Message)
}

var mistyped = regexp.MustCompile(`line (\d+) \(last key "(.+)"\): .*(?:destination has type (\w+)|(expected table))`)

// wrongType says what a value should have been, not how this program keeps it.
func wrongType(said string) string {
	m := mistyped.FindStringSubmatch(said)
	if m == nil {
		return strings.TrimPrefix(said, "toml:")
	}
	want := map[string]string{
		"string": "text in quotes", "integer": "whole number", "float": "number", "slice": "list in brackets",
	}[m[3]]
	switch {
	case m[4] != "" || m[3] == "map":
		want = "table"
	case m[3] == "boolean":
		return fmt.Sprintf("%s: key %q: want true or false", m[1], m[2])
	case want == "":
		want = "value of another type"
	}
	return fmt.Sprintf("%s: key %q: want a %s", m[1], m[2], want)
}

// lineOf finds the line of a key that decode did not know. The library tells positions only in errors, so it is led
// to the key and made to fail there.
func lineOf(text string, key toml.Key) int {
	var table map[string]toml.Primitive
	meta, err := toml.Decode(text, &table)
	for i, part := range key {
		if err != nil {
			break
		}
		if i == len(key)-1 {
			err = meta.PrimitiveDecode(table[part], &failing{})
			break
		}
		next := map[string]toml.Primitive{}
		err = meta.PrimitiveDecode(table[part], &next)
		table = next
	}
	at, _ := errors.AsType[toml.ParseError](err)
	return at.Position.Line
}

type failing struct{}

func (*failing) UnmarshalTOML(any) error { return errors.New("here") }

// keys lists every key of the configuration. default.toml has them all.
func keys() []toml.Key {
	meta, err := toml.Decode(defaults, &map[string]any{})
	if err != nil {
		return nil
	}
	return meta.Keys()
}

func known(key toml.Key) bool {
	for _, k := range keys() {
		if k.String() == key.String() {
			return true
		}
	}
	return false
}

// nearest is the known key that takes the fewest edits to reach from the unknown one.
func nearest(unknown string) string {
	best, least := "", 0
	for _, k := range keys() {
		if d := edits(unknown, k.String()); best == "" || d < least {
			best, least = k.String(), d
		}
	}
	return best
}

// edits is the Levenshtein distance of two ASCII strings.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
