package sandbox

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// What is let out passes the daemon; the host's own network is not there.
func TestNetwork(t *testing.T) {
	testNetwork(t, openHost(t), python)
}

func testNetwork(t *testing.T, h *Host, python func(string) Spec) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("hello")) }))
	defer server.Close()
	address := strings.TrimPrefix(server.URL, "http://")
	fetch := `import urllib.request as u; print(u.build_opener(u.ProxyHandler({})).open("` + server.URL + `", timeout=5).read().decode())`

	for _, c := range []struct {
		name    string
		network Network
		hosts   []string
		allow   []string
		want    string
	}{
		{"none", NetworkNone, nil, nil, ""},
		{"open refuses the host's loopback", NetworkOpen, nil, nil, ""},
		{"open reaches what is allowed", NetworkOpen, nil, []string{address}, "hello"},
		{"list refuses what is private, though listed", NetworkList, []string{address}, nil, ""},
		{"list reaches what is listed and allowed", NetworkList, []string{address}, []string{address}, "hello"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := python(fetch)
			s.Network, s.Hosts, s.AllowPrivate = c.network, c.hosts, c.allow
			out, errs, exit := output(t, h, s)
			if got := strings.TrimSpace(out); got != c.want || (exit == Exit{}) != (c.want != "") {
				t.Errorf("%q %+v %s", got, exit, errs)
			}
		})
	}
}

func TestNamelessNetwork(t *testing.T) {
	h := openHost(t)
	listener, err := net.Listen("unix", "@sandbox-test-abstract")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	succeed(t, h, python(`
import socket, errno
for what in [
    lambda: socket.socket(socket.AF_UNIX).connect("\0sandbox-test-abstract"),
    lambda: socket.socket(socket.AF_INET).connect(("169.254.169.254", 80)),
    lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW),
    lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1),
    lambda: socket.socket(40, socket.SOCK_STREAM),
]:
    try:
        what()
    except OSError as e:
        continue
    raise SystemExit("permitted")
`))
}
