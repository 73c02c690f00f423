package bridge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server answers like a server would, and notes what it was sent.
type server struct {
	mu   sync.Mutex // protects the fields below
	seen []string

	get   func(w http.ResponseWriter, r *http.Request) // serves the event stream
	posts func(w http.ResponseWriter, body string)
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.seen = append(s.seen, r.Method+" "+r.Header.Get("Mcp-Session-Id")+" "+string(body))
	s.mu.Unlock()
	switch {
	case r.Method == http.MethodGet && s.get == nil:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case r.Method == http.MethodGet:
		s.get(w, r)
	case r.Method == http.MethodPost:
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Mcp-Session-Id", "s1")
		s.posts(w, string(body))
	}
}

func run(t *testing.T, s *server, in io.Reader) (out string, err error) {
	t.Helper()
	web := httptest.NewServer(s)
	defer web.Close()
	defer web.Client().CloseIdleConnections()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var b bytes.Buffer
	err = Run(ctx, Options{Client: web.Client(), URL: web.URL, Header: http.Header{"Authorization": {"Bearer t"}}, In: in, Out: &b})
	return b.String(), err
}

// Each line becomes a request, each message of an answer a line; the session is
// kept and ended.
func TestLinesAndAnswers(t *testing.T) {
	s := &server{posts: func(w http.ResponseWriter, body string) {
		switch {
		case strings.Contains(body, "initialized"):
			w.WriteHeader(http.StatusAccepted)
		case strings.Contains(body, "stream"):
			w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
			fmt.Fprint(w, "event: message\r\ndata: {\"n\":1}\r\n\r\n: a comment\n\ndata:{\"n\":\ndata: 2}\n\n")
		case strings.Contains(body, "pretty"):
			fmt.Fprint(w, "{\n  \"jsonrpc\" : \"2.0\",\n  \"id\":3\n}\n")
		case strings.Contains(body, "broken"):
			http.Error(w, "no such session", http.StatusNotFound)
		default:
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"result":{}}`)
		}
	}}
	out, err := run(t, s, strings.NewReader(strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize"}`, "",
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"stream"}`,
		`{"jsonrpc":"2.0","id":3,"method":"pretty"}`,
		`{"jsonrpc":"2.0","id":"four","method":"broken"}`, // no newline after the last
	}, "\r\n")))
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSpace(out), "\n")
	slices.Sort(got)
	want := []string{
		`{"jsonrpc":"2.0","id":"four","error":{"code":-32000,"message":"the daemon answered 404 Not Found: no such session"}}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":3}`, `{"n":1}`, `{"n":2}`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("output\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if first, last := s.seen[0], s.seen[len(s.seen)-1]; first != `POST  {"jsonrpc":"2.0","id":1,"method":"initialize"}` || last != "DELETE s1 " {
		t.Errorf("the server saw %q", s.seen)
	}
	if !slices.Contains(s.seen, `POST s1 {"jsonrpc":"2.0","method":"notifications/initialized"}`) {
		t.Errorf("the server saw %q", s.seen)
	}
}

// What the server says unasked reaches the agent while nothing is asked.
func TestEventStream(t *testing.T) {
	s := &server{posts: func(w http.ResponseWriter, _ string) { fmt.Fprint(w, `{"id":1}`) }}
	s.get = func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: {\"method\":\"news\"}\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	web := httptest.NewServer(s)
	defer web.Close()
	defer web.Client().CloseIdleConnections()
	in, agentOut := io.Pipe()
	agentIn, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- Run(t.Context(), Options{Client: web.Client(), URL: web.URL, In: in, Out: out})
	}()
	fmt.Fprintln(agentOut, `{"jsonrpc":"2.0","id":1,"method":"initialize"}`)
	read := make([]byte, len("{\"id\":1}\n{\"method\":\"news\"}\n"))
	if _, err := io.ReadFull(agentIn, read); err != nil || string(read) != "{\"id\":1}\n{\"method\":\"news\"}\n" {
		t.Errorf("the agent read %q, %v", read, err)
	}
	agentOut.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// A slow call does not hold up the next one.
func TestCallsOverlap(t *testing.T) {
	second := make(chan struct{})
	s := &server{posts: func(w http.ResponseWriter, body string) {
		switch {
		case strings.Contains(body, "slow"):
			<-second
		case strings.Contains(body, "fast"):
			close(second)
		}
		fmt.Fprint(w, `{}`)
	}}
	out, err := run(t, s, strings.NewReader(`{"id":0,"method":"initialize"}`+"\n"+`{"id":1,"method":"slow"}`+"\n"+`{"id":2,"method":"fast"}`+"\n"))
	if err != nil || strings.Count(out, "{}\n") != 3 {
		t.Errorf("output %q, %v", out, err)
	}
}

// A daemon that is not there is an error for each request, and not the end.
func TestNobodyListens(t *testing.T) {
	var out bytes.Buffer
	err := Run(t.Context(), Options{
		Client: &http.Client{}, URL: "http://127.0.0.1:1/mcp", Out: &out,
		In: strings.NewReader(`{"id":1,"method":"initialize"}` + "\n" + `{"method":"note"}` + "\nnonsense\n" + `{"id":2,"method":"ping"}`),
	})
	if err != nil || strings.Count(out.String(), "cannot reach the daemon") != 2 {
		t.Errorf("output %s, %v", out.String(), err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// Without an output there is no use in going on.
func TestOutputIsGone(t *testing.T) {
	web := httptest.NewServer(&server{posts: func(w http.ResponseWriter, _ string) { fmt.Fprint(w, `{}`) }})
	defer web.Close()
	defer web.Client().CloseIdleConnections()
	in, agent := io.Pipe()
	defer agent.Close()
	go fmt.Fprintln(agent, `{"id":1,"method":"initialize"}`)
	err := Run(t.Context(), Options{Client: web.Client(), URL: web.URL, In: in, Out: full{}})
	if err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("error %v", err)
	}
}
