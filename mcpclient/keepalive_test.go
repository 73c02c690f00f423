package mcpclient

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// serve plays a connector that answers as answer says, and not at all where
// that is "". It returns when nothing is left to read.
func (p *clockedPeer) serve(answer func(method string) string) {
	for {
		line, err := p.in.ReadBytes('\n')
		var m struct {
			ID     int64
			Method string
		}
		if err != nil || json.Unmarshal(line, &m) != nil {
			return
		}
		if what := answer(m.Method); what != "" && m.ID != 0 {
			p.say(`{"jsonrpc":"2.0","id":%d,%s}`, m.ID, what)
		}
	}
}

// greeting is how such a connector opens a session.
func greeting(method string) (string, bool) {
	switch method {
	case "initialize":
		return `"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1"}}`, true
	case "tools/list":
		return `"result":{"tools":[]}`, true
	}
	return "", false
}

// A connector that is idle is pinged. Any answer is a sign of life, and so is
// anything else it says; silence is told, and so is its end, and that is all.
func TestKeepAlive(t *testing.T) {
	for name, tt := range map[string]struct {
		pong string
		want []bool
	}{
		"answered":  {`"result":{}`, nil},
		"not known": {`"error":{"code":-32601,"message":"method not found"}`, nil},
		"neither":   {`"x":1`, nil},
		"broken":    {`"result":NaN`, nil},
		"silent":    {"", []bool{false, true}},
	} {
		t.Run(name, func(t *testing.T) {
			clocked(t, Options{}, func(t *testing.T, c *Conn, p *clockedPeer) {
				var mu sync.Mutex
				pings, pong := 0, tt.pong
				go p.serve(func(method string) string {
					if what, ok := greeting(method); ok {
						return what
					}
					mu.Lock()
					defer mu.Unlock()
					if method == "ping" {
						pings++
						return pong
					}
					return ""
				})
				var told []bool
				_, err := Open(t.Context(), c, Info{OnAlive: func(alive bool) {
					mu.Lock()
					defer mu.Unlock()
					told = append(told, alive)
				}})
				if err != nil {
					t.Fatal(err)
				}
				time.Sleep(5*pingEvery + time.Second)
				mu.Lock()
				seen := pings
				pong = `"result":{}`
				mu.Unlock()
				time.Sleep(5 * pingEvery)
				synctest.Wait()
				mu.Lock()
				defer mu.Unlock()
				if fmt.Sprint(told) != fmt.Sprint(tt.want) || seen < 3 || seen > 5 || c.Cause() != nil {
					t.Errorf("told %v, want %v; %d pings; %v", told, tt.want, seen, c.Cause())
				}
			})
		})
	}
}

// While a call is in flight nobody is pinged: one that does a single thing at a
// time could not answer.
func TestNoPingDuringACall(t *testing.T) {
	clocked(t, Options{}, func(t *testing.T, c *Conn, p *clockedPeer) {
		go p.serve(func(method string) string {
			if method == "ping" {
				t.Error("a ping")
			}
			what, _ := greeting(method)
			return what
		})
		if _, err := Open(t.Context(), c, Info{OnAlive: func(bool) { t.Error("told") }}); err != nil {
			t.Fatal(err)
		}
		got := <-call(c, "slow", 10*pingEvery, `{}`)
		if got.err == nil {
			t.Error("it was answered")
		}
	})
}

// A storm of changes costs ever fewer listings, and the last change counts.
func TestStormIsDamped(t *testing.T) {
	clocked(t, Options{}, func(t *testing.T, c *Conn, p *clockedPeer) {
		var mu sync.Mutex
		lists, tool := 0, "first"
		go p.serve(func(method string) string {
			if method != "tools/list" {
				what, _ := greeting(method)
				return what
			}
			mu.Lock()
			defer mu.Unlock()
			lists++
			return fmt.Sprintf(`"result":{"tools":[{"name":%q}]}`, tool)
		})
		s, err := Open(t.Context(), c, Info{})
		if err != nil {
			t.Fatal(err)
		}
		const changed = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
		for range 6000 {
			p.say(changed)
			time.Sleep(50 * time.Millisecond)
		}
		mu.Lock()
		tool = "last"
		mu.Unlock()
		p.say(changed)
		time.Sleep(time.Minute)
		mu.Lock()
		defer mu.Unlock()
		if lists > 40 || names(s.Tools()) != "last" {
			t.Errorf("%d listings in five minutes, tools %s", lists, names(s.Tools()))
		}
	})
}

// What is no message is read ever more slowly, lines of it or one without an
// end, so that a flood costs the connector and not the daemon. It is still read.
func TestFloodIsSlowed(t *testing.T) {
	for name, flood := range map[string]string{
		"lines":   strings.Repeat("y\n", 350_000),
		"no line": strings.Repeat("y", 40<<20),
	} {
		t.Run(name, func(t *testing.T) {
			clocked(t, Options{MaxFrame: 1 << 20}, func(t *testing.T, c *Conn, p *clockedPeer) {
				got := call(c, "m", time.Hour, `{}`)
				id, _ := p.read()
				begun := time.Now()
				if _, err := io.WriteString(p.out, flood); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(begun); took < time.Second {
					t.Errorf("the flood took %v", took)
				}
				p.say("\n"+`{"jsonrpc":"2.0","id":%d,"result":1}`, id)
				if a := <-got; a.err != nil {
					t.Error(a.err)
				}
			})
		})
	}
}

// What people should know is told, a little at a time.
func TestNotes(t *testing.T) {
	var notes []string
	clocked(t, Options{Note: func(text string) { notes = append(notes, text) }}, func(t *testing.T, c *Conn, p *clockedPeer) {
		go func() { _, _ = io.Copy(io.Discard, p.in) }()
		for i := range 1000 {
			p.say("noise %d", i)
		}
		for range 3 {
			p.say(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create"}`)
		}
		time.Sleep(time.Hour)
		p.say("the end")
		synctest.Wait()
	})
	text := strings.Join(notes, "\n")
	for want, times := range map[string]int{"[stdout] noise 0": 1, "elicitation/create": 1, "lines more": 1, "[stdout] the end": 1} {
		if got := strings.Count(text, want); got != times {
			t.Errorf("%q was said %d times", want, got)
		}
	}
	if len(notes) > 40 {
		t.Errorf("%d notes", len(notes))
	}
}
