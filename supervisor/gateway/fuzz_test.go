package gateway

import (
	"encoding/json"
	"testing"
)

// FuzzParse: whatever an agent sends, what it is answered is valid JSON, under
// its own id or none.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":"\ud800","method":"x","params":{"_meta":{"a":1}}}`,
		`{"jsonrpc":"2.0","id":1e999,"method":"tools/call","params":{"name":"x","arguments":{"n":9007199254740993}}}`,
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`, `[{}]`, `{"id":{}}`, "\xff", `{"jsonrpc":"2.0","id":1,"id":2}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, fault := parse(raw)
		if fault != nil {
			if b := fault.answer(m.ID); !json.Valid(b) {
				t.Errorf("answer %s", b)
			}
			return
		}
		if b := answer(m.ID, "result", []byte("{}")); !json.Valid(b) {
			t.Errorf("answer %s", b)
		}
		if b := m.as("other"); !json.Valid(b) {
			t.Errorf("forwarded %s", b)
		}
		m.era()
	})
}
