package mcpclient

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"majordomo/mcpclient/mcptest"
)

// answers plays a connector that answers every request with one text, as
// quickly as it can be done.
func answers(in *os.File, out *os.File, text string) {
	r := bufio.NewReaderSize(in, 64<<10)
	tail := []byte(`,"result":{"content":[{"type":"text","text":"` + text + `"}]}}` + "\n")
	var line []byte
	for {
		request, err := r.ReadSlice('\n')
		if err != nil {
			return
		}
		i := bytes.Index(request, []byte(`"id":`)) + len(`"id":`)
		id := request[i : i+bytes.IndexAny(request[i:], ",}")]
		line = append(append(line[:0], `{"jsonrpc":"2.0","id":`...), id...)
		if _, err := out.Write(append(line, tail...)); err != nil {
			return
		}
	}
}

func pipes(tb testing.TB) (in, theirIn, out, theirOut *os.File) {
	theirIn, in, err := os.Pipe()
	if err != nil {
		tb.Fatal(err)
	}
	out, theirOut, err = os.Pipe()
	if err != nil {
		tb.Fatal(err)
	}
	return in, theirIn, out, theirOut
}

// BenchmarkCall compares one call through a Session with one through the least client there could be.
func BenchmarkCall(b *testing.B) {
	for _, size := range []int{2, 4 << 10, 1 << 20} {
		text := strings.Repeat("x", size)
		b.Run(fmt.Sprintf("minimal/%d", size), func(b *testing.B) {
			in, theirIn, out, theirOut := pipes(b)
			go answers(theirIn, theirOut, text)
			m := mcptest.NewMinimal(in, out)
			for b.Loop() {
				m.Request("tools/call", `{"name":"echo","arguments":{"a":1}}`)
			}
			in.Close()
			theirOut.Close()
		})
		b.Run(fmt.Sprintf("session/%d", size), func(b *testing.B) {
			in, theirIn, out, theirOut := pipes(b)
			go answers(theirIn, theirOut, text)
			c := NewConn(in, out, Options{})
			s := &Session{conn: c}
			for b.Loop() {
				if _, err := s.Call(b.Context(), "echo", json.RawMessage(`{"a":1}`), nil); err != nil {
					b.Fatal(err)
				}
			}
			c.Close()
			c.Wait()
			theirOut.Close()
		})
	}
}
