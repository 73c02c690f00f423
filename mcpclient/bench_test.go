package mcpclient

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
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

// minimal is the least client that could work with a connector that never
// misbehaves: the measure for ours.
type minimal struct {
	in      *os.File
	mu      sync.Mutex
	id      int64
	pending map[int64]chan json.RawMessage
}

func (m *minimal) read(out *os.File) {
	r := bufio.NewReaderSize(out, 64<<10)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return
		}
		var reply struct {
			ID     int64           `json:"id"`
			Result json.RawMessage `json:"result"`
		}
		if json.Unmarshal(line, &reply) != nil {
			continue
		}
		m.mu.Lock()
		c := m.pending[reply.ID]
		delete(m.pending, reply.ID)
		m.mu.Unlock()
		c <- reply.Result
	}
}

func (m *minimal) call(args string) json.RawMessage {
	c := make(chan json.RawMessage, 1)
	m.mu.Lock()
	m.id++
	m.pending[m.id] = c
	fmt.Fprintf(m.in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":%s}}`+"\n", m.id, args)
	m.mu.Unlock()
	return <-c
}

// BenchmarkCall compares one call through a Session with one through minimal.
func BenchmarkCall(b *testing.B) {
	for _, size := range []int{2, 4 << 10, 1 << 20} {
		text := strings.Repeat("x", size)
		b.Run(fmt.Sprintf("minimal/%d", size), func(b *testing.B) {
			in, theirIn, out, theirOut := pipes(b)
			go answers(theirIn, theirOut, text)
			m := &minimal{in: in, pending: map[int64]chan json.RawMessage{}}
			go m.read(out)
			for b.Loop() {
				m.call(`{"a":1}`)
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
