package mcptest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// Minimal is the least client that could work with a connector that never
// misbehaves: the measure for ours. It knows no limit, no deadline and no
// failure: when the connector is gone, a call of it hangs. Safe for concurrent use.
type Minimal struct {
	in      io.Writer
	mu      sync.Mutex // protects the fields below
	id      int64
	pending map[int64]chan json.RawMessage
}

// NewMinimal reads on a goroutine of its own until out ends.
func NewMinimal(in io.Writer, out io.Reader) *Minimal {
	m := &Minimal{in: in, pending: map[int64]chan json.RawMessage{}}
	go m.read(out)
	return m
}

func (m *Minimal) read(out io.Reader) {
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

// Request returns the result of a method; params is JSON.
func (m *Minimal) Request(method, params string) json.RawMessage {
	c := make(chan json.RawMessage, 1)
	m.mu.Lock()
	m.id++
	m.pending[m.id] = c
	fmt.Fprintf(m.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", m.id, method, params)
	m.mu.Unlock()
	return <-c
}
