package egress

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// What a hostile program tries. It prints what it reached; every line that should be refused is tried with the plain socket calls.
const hostile = `
import socket, struct, sys
port = int(sys.argv[1])
def tcp(host, port):
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    s = socket.socket(family)
    s.settimeout(20)
    s.connect((host, port))
    s.sendall(b"GET / HTTP/1.0\r\n\r\n")
    if not s.recv(100): raise OSError("closed")
def udp(host, port):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.settimeout(0.3)
    s.connect((host, port))
    s.send(b"hello")
    s.recv(100)
def fastopen(host, port):
    s = socket.socket()
    s.settimeout(20)
    s.sendto(b"GET / HTTP/1.0\r\n\r\n", socket.MSG_FASTOPEN, (host, port))
    if not s.recv(100): raise OSError("closed")
def abstract():
    socket.socket(socket.AF_UNIX).connect("\0majordomo-egress-test-%d" % port)
def attempt(what, do, *args):
    try: do(*args); print("REACHED", what, *args)
    except OSError: print("refused", what, *args)
for host in ["127.0.0.1", "127.0.0.2", "0.0.0.0", "10.0.0.1", "192.168.1.1", "172.17.0.1", "169.254.169.254", "100.100.100.200",
             "168.63.129.16", "198.18.77.77", "224.0.0.1", "255.255.255.255", sys.argv[2],
             "::1", "::", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "fd00:ec2::254", "fe80::1%lo", "ff02::1", "2002:a00:1::"]:
    attempt("tcp", tcp, host, port)
for name in ["rebind.test", "meta.test", "mapped.test", "sixtofour.test", "own.test", "gone.test"]:
    attempt("tcp", tcp, socket.gethostbyname(name) if name != "gone.test" else name, port)
attempt("fastopen", fastopen, "127.0.0.1", port)
attempt("fastopen", fastopen, "10.0.0.1", port)
for host in ["127.0.0.1", "8.8.8.8", "10.0.0.1", "224.0.0.251"]:
    attempt("udp", udp, host, port)
attempt("udp", udp, "8.8.8.8", 53)
attempt("abstract", abstract)
`

func TestHostileProgram(t *testing.T) {
	own := "93.184.215.99"
	w := newWorld(t, map[string][]string{
		"rebind.test": {"127.0.0.1", "::1", "192.168.0.1"}, "meta.test": {"169.254.169.254"}, "mapped.test": {"::ffff:127.0.0.1"},
		"sixtofour.test": {"2002:7f00:1::"}, "own.test": {own},
	})
	abstract, err := net.Listen("unix", "@majordomo-egress-test-"+w.port())
	if err != nil {
		t.Fatal(err)
	}
	defer abstract.Close()
	core, seen := observer.New(zap.WarnLevel)
	o := w.options("elsewhere.lan:1", "127.0.0.1:1")
	o.Log, o.HostNets = zap.New(core), func() ([]netip.Prefix, error) { return []netip.Prefix{netip.MustParsePrefix(own + "/32")}, nil }

	b := startIn(t, o, nil, "/usr/bin/python3", "-c", hostile, w.port(), own)
	out, err := b.wait()
	if err != nil || strings.Contains(out, "REACHED") || !strings.Contains(out, "refused abstract") {
		t.Errorf("%v:\n%s", err, out)
	}
	if got := w.dials(); len(got) != 0 {
		t.Errorf("dialled %v", got)
	}
	// Twice the same host is logged once, with a reason.
	said := map[string]int{}
	for _, e := range seen.All() {
		said[fmt.Sprint(e.ContextMap()["to"])]++
	}
	if n := said["10.0.0.1:"+w.port()]; n != 1 || said["rebind.test:"+w.port()] != 1 {
		t.Errorf("logged %v", said)
	}
}

// An end is passed on as an end: the answer to a request that ends with the sending side closed arrives whole.
func TestHalfClose(t *testing.T) {
	w := newWorld(t, map[string][]string{"example.test": {"93.184.215.14"}})
	out, err := runIn(t, w.options(), "/usr/bin/python3", "-c", `
import socket
s = socket.create_connection(("example.test", 80), 20)
s.sendall(b"POST / HTTP/1.0\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc")
s.shutdown(socket.SHUT_WR)
data = b""
while chunk := s.recv(4096): data += chunk
print(data.decode().split("\r\n\r\n")[1])`)
	if err != nil || out != "hello h abc" {
		t.Errorf("%v: %s", err, out)
	}
}

// Above the cap connections are reset, and served again when one has ended.
func TestConnectionCap(t *testing.T) {
	w := newWorld(t, nil)
	o := w.options()
	o.MaxConns = 2
	out, err := runIn(t, o, "/usr/bin/python3", "-c", `
import socket
def get(s):
    s.sendall(b"GET / HTTP/1.0\r\nHost: h\r\n\r\n")
    return s.recv(100)
held = [socket.create_connection(("93.184.215.14", 80), 20) for _ in range(2)]
try: print("third", get(socket.create_connection(("93.184.215.14", 80), 20)))
except OSError: print("third reset")
print("first", len(get(held[0])) > 0)
while held[0].recv(4096): pass
held[0].close()
while True:
    try:
        if get(socket.create_connection(("93.184.215.14", 80), 20)): break
    except OSError: pass
print("fourth")`)
	if err != nil || out != "third reset\nfirst True\nfourth" {
		t.Errorf("%v: %s", err, out)
	}
}

// Close ends connections that are under way, and the program sees it.
func TestCloseEndsConnections(t *testing.T) {
	w := newWorld(t, nil)
	b := startIn(t, w.options(), nil, "/usr/bin/python3", "-c", `
import socket
s = socket.create_connection(("93.184.215.14", 80), 20)
s.sendall(b"GET /hang HTTP/1.1\r\nHost: h\r\n\r\n")
try: print(len(s.recv(4096)))
except OSError: print(0)`)
	<-w.hung
	b.server.Close()
	if out, err := b.wait(); err != nil || out != "0" {
		t.Errorf("%v: %s", err, out)
	}
}
