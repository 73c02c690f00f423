package egress

import (
	"os"
	"slices"
	"strings"
	"testing"

	"majordomo/sandbox/egress/inside"
)

func need(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		t.Skip(err)
	}
}

// Unmodified programs reach a public name at any port, and the address dialled is the one that was checked.
func TestProgramsReachNames(t *testing.T) {
	for _, c := range []struct{ path, flag, script string }{
		{"/usr/bin/curl", "-sS", "http://example.test:81/"},
		{"/usr/bin/node", "-e", "fetch('http://example.test:81/').then(r => r.text()).then(console.log)"},
		{"/usr/bin/python3", "-c", "import urllib.request as r; print(r.urlopen('http://example.test:81/').read().decode())"},
	} {
		t.Run(c.path, func(t *testing.T) {
			need(t, c.path)
			w := newWorld(t, map[string][]string{"example.test": {"2a00:1::7", "93.184.215.14"}})
			b := startIn(t, w.options(), nil, c.path, c.flag, c.script)
			if !b.sockets.Redirect {
				t.Skip("this kernel serves a list of ports only:", b.sockets.Reason)
			}
			out, err := b.wait()
			if err != nil || !strings.HasPrefix(out, "hello example.test:81") {
				t.Fatalf("%v: %s", err, out)
			}
			if got := w.dials(); !slices.Equal(got, []string{"93.184.215.14:81"}) {
				t.Errorf("dialled %v", got)
			}
			if w.asked["example.test"] != 1 {
				t.Errorf("looked up %d times, want once", w.asked["example.test"])
			}
		})
	}
}

// Addresses are judged like names, and arrive as the connector wrote them.
func TestProgramsReachAddresses(t *testing.T) {
	for _, c := range []struct{ url, want string }{
		{"http://93.184.215.14/", "93.184.215.14:80"},
		{"http://93.184.215.14:4321/", "93.184.215.14:4321"},
		{"http://[2a00:1::7]:4321/", "[2a00:1::7]:4321"},
	} {
		w := newWorld(t, nil)
		out, err := runIn(t, w.options(), "/usr/bin/curl", "-sS", c.url)
		if err != nil || !slices.Equal(w.dials(), []string{c.want}) {
			t.Errorf("%s: %v: %s; dialled %v, want %s", c.url, err, out, w.dials(), c.want)
		}
	}
}

// A kernel without nftables serves a list of ports, and says so.
func TestWithoutRedirect(t *testing.T) {
	w := newWorld(t, map[string][]string{"example.test": {"93.184.215.14"}})
	const subsystem = 19 // in the header that begins a batch; with a number that does not exist the kernel says what one without nftables says
	broken := func(p *inside.Plan) { p.Redirect[0][subsystem] = 0xee }
	granted := "127.0.0.1:8080" // at a port that is in the list
	b := startIn(t, w.options(granted), broken, "/usr/bin/curl", "-sS", "http://example.test/", "http://example.test:81/")
	out, err := b.wait()
	if b.sockets.Redirect || b.sockets.Reason == "" {
		t.Errorf("said %+v", b.sockets)
	}
	if !strings.Contains(out, "hello example.test") || err == nil || !slices.Equal(w.dials(), []string{"93.184.215.14:80"}) {
		t.Errorf("%v: %s; dialled %v", err, out, w.dials())
	}
}

// Granted targets are private or on loopback, by name or by address; the same at another port is not granted.
func TestGrants(t *testing.T) {
	w := newWorld(t, map[string][]string{"registry.lan": {"127.0.0.1"}, "localhost": {"127.0.0.1", "::1"}})
	for _, c := range []struct {
		why, grants, url string
		ok               bool
	}{
		{"a name that leads to loopback", "Registry.LAN:" + w.port(), "http://registry.lan:" + w.port(), true},
		{"its address", "127.0.0.1:" + w.port(), "http://registry.lan:" + w.port(), true},
		{"loopback by address", "127.0.0.1:" + w.port(), "http://127.0.0.1:" + w.port(), true},
		{"loopback by name", "localhost:" + w.port(), "http://localhost:" + w.port(), true},
		{"loopback by its other address", "localhost:" + w.port(), "http://[::1]:" + w.port(), true},
		{"given twice", "127.0.0.1:" + w.port() + " 127.0.0.1:" + w.port(), "http://127.0.0.1:" + w.port(), true},
		{"by name and by address", "localhost:" + w.port() + " 127.0.0.1:" + w.port(), "http://localhost:" + w.port(), true},
		{"at a port of ours", "127.0.0.1:999", "http://registry.lan:" + w.port(), false},
		{"another port", "registry.lan:1", "http://registry.lan:" + w.port(), false},
		{"loopback at another port", "127.0.0.1:1", "http://127.0.0.1:" + w.port(), false},
		{"nothing granted", "elsewhere.lan:80", "http://registry.lan:" + w.port(), false},
	} {
		t.Run(c.why, func(t *testing.T) {
			out, err := runIn(t, w.options(strings.Fields(c.grants)...), "/usr/bin/curl", "-sS", "--noproxy", "*", c.url)
			if (err == nil) != c.ok || c.ok && !strings.HasPrefix(out, "hello") {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// A host that was booted without IPv6 has no other loopback address to listen at.
func TestGrantWithoutIPv6(t *testing.T) {
	t.Setenv(withoutIPv6, "1")
	w := newWorld(t, map[string][]string{"localhost": {"127.0.0.1"}})
	url := "http://localhost:" + w.port()
	if out, err := runIn(t, w.options("localhost:"+w.port()), "/usr/bin/curl", "-sS", "--noproxy", "*", url); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func TestNone(t *testing.T) {
	out, err := runIn(t, Options{Policy: Policy{Mode: None}}, "/usr/bin/python3", "-c", `
import socket
listening = socket.create_server(("127.0.0.1", 8080))
socket.create_connection(("127.0.0.1", 8080)) # its own loopback works
for where in [("93.184.215.14", 80), ("127.0.0.1", 53)]:
    try: socket.create_connection(where, 5); print("reached", where)
    except OSError: pass
try: socket.getaddrinfo("example.test", 80); print("resolved")
except OSError: pass
print("done")`)
	if err != nil || out != "done" {
		t.Errorf("%v: %s", err, out)
	}
}
