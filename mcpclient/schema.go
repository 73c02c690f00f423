package mcpclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// What an input schema may be: agents hand it to language models, validators
// walk it, so it must be finite in every direction.
const (
	maxSchemaBytes = 64 << 10
	maxSchemaDepth = 32
)

// CheckSchema says why a schema cannot be offered: not a JSON object, too
// large, too deep, or with a reference that leads out of it, which a validator
// would follow to a file or an address. It does not judge the schema otherwise.
func CheckSchema(schema json.RawMessage) error {
	if len(schema) > maxSchemaBytes {
		return fmt.Errorf("has %d bytes; at most %d are accepted", len(schema), maxSchemaBytes)
	}
	if jsontext.Value(schema).Kind() != '{' {
		return errors.New("is not a JSON object")
	}
	dec := jsontext.NewDecoder(bytes.NewReader(schema), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		token, err := dec.ReadToken()
		if err != nil {
			return fmt.Errorf("is not valid JSON: %w", err)
		}
		switch depth := dec.StackDepth(); {
		case depth == 0:
			return nil
		case depth > maxSchemaDepth:
			return fmt.Errorf("is nested more than %d deep", maxSchemaDepth)
		case token.Kind() == '"' && isReferenceName(dec, token) && dec.PeekKind() == '"':
			if target, err := dec.ReadToken(); err == nil && !isLocal(target.String()) {
				return fmt.Errorf("refers to %q, outside itself", cut(target.String(), noiseLine))
			}
		}
	}
}

// isReferenceName reports whether the token just read is the name of a member
// that refers elsewhere.
func isReferenceName(dec *jsontext.Decoder, token jsontext.Token) bool {
	kind, n := dec.StackIndex(dec.StackDepth())
	if kind != '{' || n%2 == 0 { // names are read at odd counts
		return false
	}
	switch token.String() {
	case "$ref", "$dynamicRef", "$recursiveRef":
		return true
	}
	return false
}

func isLocal(target string) bool { return target == "" || target[0] == '#' }
