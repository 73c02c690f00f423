package mcpclient

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestCheckSchema(t *testing.T) {
	nested := func(n int) string { return strings.Repeat(`{"items":`, n) + "{}" + strings.Repeat("}", n) }
	tests := map[string]struct{ schema, want string }{
		"empty":                 {`{}`, ""},
		"usual":                 {`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, ""},
		"recursive":             {`{"$defs":{"n":{"properties":{"next":{"$ref":"#/$defs/n"}}}},"$ref":"#/$defs/n"}`, ""},
		"reference to itself":   {`{"$ref":""}`, ""},
		"a property named $ref": {`{"properties":{"$ref":{"type":"string"}},"required":["$ref","http://x"]}`, ""},
		"old draft":             {`{"exclusiveMinimum":true,"$schema":"http://json-schema.org/draft-04/schema#"}`, ""},
		"as deep as it may be":  {nested(31), ""},
		"a file":                {`{"a":[{"$ref":"file:///etc/passwd"}]}`, `refers to "file:///etc/passwd"`},
		"an address":            {`{"$dynamicRef":"https://example.org/x"}`, "outside itself"},
		"relative":              {`{"$recursiveRef":"other.json"}`, "outside itself"},
		"written with escapes":  {`{"\u0024ref":"\u0068ttp://x"}`, "outside itself"},
		"second of two":         {`{"$ref":"#","$ref":"x"}`, "outside itself"},
		"true":                  {`true`, "not a JSON object"},
		"a list":                {`[]`, "not a JSON object"},
		"nothing":               {``, "not a JSON object"},
		"cut":                   {`{"a":`, "not valid JSON"},
		"too deep":              {nested(32), "nested more than 32 deep"},
		"far too deep":          {nested(5000), "nested more than 32 deep"},
		"too large":             {`{"a":"` + strings.Repeat("x", maxSchemaBytes) + `"}`, "at most 65536 are accepted"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := CheckSchema(json.RawMessage(tt.schema))
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

func TestParseError(t *testing.T) {
	for raw, want := range map[string]RPCError{
		`{"code":-32602,"message":"m"}`:           {Code: -32602, Message: "m"},
		`{"code":-1.0,"message":"m","data":null}`: {Code: -1, Message: "m", Data: json.RawMessage("null")},
		`"it broke"`:                  {Code: -32603, Message: "it broke"},
		`["odd"]`:                     {Code: -32603, Message: `["odd"]`, Data: json.RawMessage(`["odd"]`)},
		`{"code":"E1","message":"m"}`: {Code: -32603, Message: `{"code":"E1","message":"m"}`, Data: json.RawMessage(`{"code":"E1","message":"m"}`)},
	} {
		if got := parseError(json.RawMessage(raw)); got.Code != want.Code || got.Message != want.Message || string(got.Data) != string(want.Data) {
			t.Errorf("%s: %+v", raw, got)
		}
	}
}
