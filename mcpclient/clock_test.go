package mcpclient

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// clocked runs a test whose time is its own. The pipes hold nothing: what is
// not read blocks at once.
func clocked(t *testing.T, o Options, f func(t *testing.T, c *Conn, p *clockedPeer)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		theirIn, in := net.Pipe()
		out, theirOut := net.Pipe()
		c := NewConn(in, out, o)
		f(t, c, &clockedPeer{t: t, in: bufio.NewReader(theirIn), out: theirOut})
		c.Close()
		theirIn.Close()
		theirOut.Close()
		c.Wait()
	})
}

// clockedPeer is the connector's side.
type clockedPeer struct {
	t   *testing.T
	in  *bufio.Reader
	out io.Writer
}

// read returns the id of the next message.
func (p *clockedPeer) read() (id int64, method string) {
	p.t.Helper()
	line, err := p.in.ReadBytes('\n')
	var m struct {
		ID     int64
		Method string
	}
	if err != nil || json.Unmarshal(line, &m) != nil {
		p.t.Errorf("the connector cannot read %.100q: %v", line, err)
	}
	return m.ID, m.Method
}

func (p *clockedPeer) say(format string, args ...any) { fmt.Fprintf(p.out, format+"\n", args...) }

// call makes a request that may take this long.
func call(c *Conn, method string, limit time.Duration, params string) <-chan answered {
	got := make(chan answered, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		result, err := c.request(ctx, method, []byte(params))
		got <- answered{string(result), err}
	}()
	return got
}

// One that does a single thing at a time reads nothing while it is at work. That
// is not deafness as long as the call that it should read may still wait.
func TestBusyIsNotDeaf(t *testing.T) {
	clocked(t, Options{}, func(t *testing.T, c *Conn, p *clockedPeer) {
		slow := call(c, "slow", 2*time.Minute, `{}`)
		first, _ := p.read()
		next := call(c, "next", 2*time.Minute, `{"x":"`+strings.Repeat("x", 1<<20)+`"}`)
		time.Sleep(90 * time.Second)
		p.say(`{"jsonrpc":"2.0","id":%d,"result":1}`, first)
		second, _ := p.read()
		p.say(`{"jsonrpc":"2.0","id":%d,"result":2}`, second)
		if a, b := <-slow, <-next; a.err != nil || b.err != nil {
			t.Errorf("%v, %v", a.err, b.err)
		}
	})
}

// How long a start may take is the caller's to say. One that only begins to read, or to list its tools, long after that is waited for.
func TestSlowStart(t *testing.T) {
	const slow = 20 * time.Minute
	clocked(t, Options{}, func(t *testing.T, c *Conn, p *clockedPeer) {
		go func() {
			time.Sleep(slow)
			p.serve(func(method string) string {
				time.Sleep(slow)
				what, _ := greeting(method)
				return what
			})
		}()
		ctx, cancel := context.WithTimeout(t.Context(), 5*slow)
		defer cancel()
		if _, err := Open(ctx, c, Info{}); err != nil {
			t.Error(err)
		}
	})
}

// One that really is deaf fails the call at its deadline, and soon after that
// the connection is over.
func TestDeafAfterTheDeadline(t *testing.T) {
	clocked(t, Options{}, func(t *testing.T, c *Conn, p *clockedPeer) {
		begun := time.Now()
		got := <-call(c, "m", time.Minute, `{}`)
		if took := time.Since(begun); took != time.Minute || !errors.Is(got.err, context.DeadlineExceeded) {
			t.Errorf("after %v: %v", took, got.err)
		}
		<-c.Done()
		if took := time.Since(begun); took > time.Minute+10*time.Second || !errors.Is(c.Cause(), ErrDeaf) {
			t.Errorf("after %v: %v", took, c.Cause())
		}
	})
}

// Nobody waits for an answer to a request of the connector's own, so that its
// deafness shows at some time of ours.
func TestDeafToAnswers(t *testing.T) {
	clocked(t, Options{}, func(t *testing.T, c *Conn, p *clockedPeer) {
		begun := time.Now()
		p.say(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		<-c.Done()
		if took := time.Since(begun); took > 3*time.Minute || !errors.Is(c.Cause(), ErrDeaf) {
			t.Errorf("after %v: %v", took, c.Cause())
		}
	})
}
