package frame

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"
	"unicode/utf8"
)

// FuzzReader holds the promises of the package against any bytes: the reader
// ends only with the stream, what it returns is valid JSON, and a good line
// that follows is always delivered.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{
		"", one, "\xEF\xBB\xBF" + one, "[" + one + "," + two + "]", "x " + one + two + " y",
		"Content-Length: 3\r\n\r\n{}", `{"jsonrpc":"2.0","id":1,"result":{"x":NaN}}`, `{"jsonrpc":"2.0","id":1e400,"result":1}`,
		`{"result":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx","jsonrpc":"2.0","id":"s"}`,
	} {
		f.Add([]byte(seed), 64)
		f.Add([]byte(seed), 1<<20)
	}
	const marker = `{"jsonrpc":"2.0","id":424242,"result":"marker"}`
	f.Fuzz(func(t *testing.T, in []byte, limit int) {
		limit = max(limit, len(marker)+1)
		r := NewReader(io.MultiReader(bytes.NewReader(in), bytes.NewReader([]byte("\n"+marker+"\n"))), Options{Max: limit})
		var last Message
		for {
			m, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range []json.RawMessage{m.ID, m.Params, m.Result, m.Error} {
				if part != nil && m.Fault == nil && (!json.Valid(part) || !utf8.Valid(part)) {
					t.Errorf("part %q of a message is not JSON", part)
				}
			}
			last = m
		}
		if string(last.Result) != `"marker"` {
			t.Errorf("the line after was not delivered: %v", last)
		}
	})
}
