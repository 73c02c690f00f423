package mcpclient

import (
	"bufio"
	"encoding/json"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// Short lines take the shortcut, long ones and those that meet a full pipe the way through the writer; each is whole, and those of one
// sender stay in their order.
func TestLinesKeepTheirOrder(t *testing.T) {
	const senders, lines = 3, 120
	in, theirIn, out, theirOut := pipes(t)
	c := NewConn(in, out, Options{})
	t.Cleanup(func() { theirOut.Close(); c.Close(); c.Wait() })
	if c.short.raw == nil {
		t.Fatal("a pipe has no shortcut")
	}
	for sender := range senders {
		go func() {
			for i := range lines {
				if err := c.SendNotification(t.Context(), numbered(sender, i)); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	next := make([]int, senders)
	for from := bufio.NewReader(theirIn); next[0]+next[1]+next[2] < senders*lines; {
		line, err := from.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Params struct{ Sender, Line int } }
		if err := json.Unmarshal(line, &got); err != nil || got.Params.Line != next[got.Params.Sender] {
			t.Fatalf("%v; sender %d's line %d came instead of %d", err, got.Params.Sender, got.Params.Line, next[got.Params.Sender])
		}
		next[got.Params.Sender]++
	}
}

// numbered is long now and then, for more than a shortcut or a pipe takes.
func numbered(sender, i int) (n mcp.JSONRPCNotification) {
	text := strings.Repeat("x", []int{10, 10, 10, 5000, 10, 70_000}[i%6])
	n.Method = "notifications/test"
	n.Params.AdditionalFields = map[string]any{"sender": sender, "line": i, "text": text}
	return n
}

// What is no pipe may take a part of a line, and is left to the writer alone.
func TestNoShortcut(t *testing.T) {
	ours, theirs := net.Pipe()
	t.Cleanup(func() { ours.Close(); theirs.Close() })
	var s shortcut
	if s.open(ours); s.raw != nil || s.write([]byte("x\n")) {
		t.Error("what is no pipe has a shortcut")
	}
}

// The writer leaves its deadline behind, which is over when the next short line comes.
func TestShortcutHasNoDeadline(t *testing.T) {
	in, theirIn, out, theirOut := pipes(t)
	for _, f := range []*os.File{in, theirIn, out, theirOut} {
		t.Cleanup(func() { f.Close() })
	}
	var s shortcut
	s.open(in)
	if err := in.SetWriteDeadline(time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if !s.write([]byte("x\n")) {
		t.Error("a short line is left to the writer for a deadline of its last one")
	}
}
