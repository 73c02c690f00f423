package api

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A client that stops reading must not hold up what others wait for: its request ends as if it had hung up.
func TestStreamToSomebodyWhoDoesNotRead(t *testing.T) {
	ended := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		stream(w, 50*time.Millisecond, func(report func(string)) (none, error) {
			for r.Context().Err() == nil {
				report(strings.Repeat("x", 1<<16))
			}
			return none{}, r.Context().Err()
		})
	}))
	defer server.Close()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: majordomo\r\n\r\n")
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("it is still reporting")
	}
}
