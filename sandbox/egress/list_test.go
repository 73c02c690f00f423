package egress

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"majordomo/sandbox/egress/inside"
)

// Unmodified programs reach what is listed.
func TestListedProgramsReachNames(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name, want string
		argv       []string
	}{
		{"curl", "hello api.test", []string{"/usr/bin/curl", "-sS", "http://api.test/"}},
		{"node fetch", "hello api.test", []string{"/usr/bin/node", "-e", "fetch('http://api.test/').then(r => r.text()).then(console.log)"}},
		{"python urllib", "hello api.test", []string{"/usr/bin/python3", "-c", "import urllib.request as r; print(r.urlopen('http://api.test/').read().decode())"}},
		{"python requests", "hello api.test", []string{"/usr/bin/python3", "-c", "from pip._vendor import requests; print(requests.get('http://api.test/').text)"}},
		{"npm", "added 1 package", []string{"/bin/sh", "-c", "cd " + dir + " && npm install --no-audit --no-fund --no-update-notifier --cache " + dir + "/c --registry http://api.test/ nothing"}},
		{"pip", "Successfully installed nothing-1.0", []string{"/usr/bin/python3", "-m", "pip", "install", "--no-cache-dir", "--disable-pip-version-check",
			"--target", dir + "/p", "--index-url", "http://api.test/simple", "--trusted-host", "api.test", "nothing"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			need(t, c.argv[0])
			w := newWorld(t, map[string][]string{"api.test": {"93.184.215.14"}})
			w.files = registry()
			out, err := runIn(t, w.listing("API.test.:80"), c.argv...)
			if err != nil || !strings.Contains(out, c.want) {
				t.Fatalf("%v: %s", err, out)
			}
			if got := slices.Compact(w.dials()); !slices.Equal(got, []string{"93.184.215.14:80"}) {
				t.Errorf("dialled %v", got)
			}
		})
	}
}

// registry holds one package, for npm and for pip.
func registry() map[string][]byte {
	var tgz, wheel bytes.Buffer
	zw := gzip.NewWriter(&tgz)
	tw := tar.NewWriter(zw)
	meta := `{"name":"nothing","version":"1.0.0"}`
	_ = tw.WriteHeader(&tar.Header{Name: "package/package.json", Mode: 0o644, Size: int64(len(meta))})
	_, _ = tw.Write([]byte(meta))
	_, _ = tw.Close(), zw.Close()
	sum := sha512.Sum512(tgz.Bytes())
	z := zip.NewWriter(&wheel)
	for name, text := range map[string]string{
		"nothing.py": "", "nothing-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: nothing\nVersion: 1.0\n",
		"nothing-1.0.dist-info/WHEEL":  "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
		"nothing-1.0.dist-info/RECORD": "",
	} {
		f, _ := z.Create(name)
		_, _ = f.Write([]byte(text))
	}
	_ = z.Close()
	return map[string][]byte{
		"/nothing": fmt.Appendf(nil, `{"name":"nothing","dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{"name":"nothing","version":"1.0.0",
			"dist":{"tarball":"http://api.test/nothing-1.0.0.tgz","integrity":"sha512-%s"}}}}`, base64.StdEncoding.EncodeToString(sum[:])),
		"/nothing-1.0.0.tgz":            tgz.Bytes(),
		"/simple/nothing/":              []byte(`<!DOCTYPE html><a href="/nothing-1.0-py3-none-any.whl">nothing-1.0-py3-none-any.whl</a>`),
		"/nothing-1.0-py3-none-any.whl": wheel.Bytes(),
	}
}

// What is not listed is not reached: not another name, nor another port, nor an address that a listed name leads to; and what a
// connector says inside its connection counts for nothing.
func TestListRefuses(t *testing.T) {
	for _, c := range []struct {
		why, hosts, grants, url string
		ok                      bool
	}{
		{"a listed name", "api.test:80", "", "http://api.test/", true},
		{"another name", "api.test:80", "", "http://evil.test/", false},
		{"a name below a listed one", "api.test:80", "", "http://x.api.test/", false},
		{"another port", "api.test:80", "", "http://api.test:81/", false},
		{"another port that is listed for another host", "api.test:80 evil.test:81", "", "http://api.test:81/", false},
		{"the address of a listed name", "api.test:80", "", "http://93.184.215.14/", false},
		{"a listed address", "93.184.215.14:80", "", "http://93.184.215.14/", true},
		{"a name that leads to a listed address", "93.184.215.14:80", "", "http://api.test/", false},
		{"a listed IPv6 address", "[2a00:1::7]:80", "", "http://[2a00:1:0::7]/", true},
		{"a listed name that is private", "nas.test:80", "", "http://nas.test/", false},
		{"a granted name that is private", "api.test:80", "nas.test:80", "http://nas.test/", true},
		{"metadata, though listed and granted by name", "meta.test:80", "meta.test:80", "http://meta.test/", false},
		{"nothing is listed", "", "", "http://api.test/", false},
	} {
		t.Run(c.why, func(t *testing.T) {
			w := newWorld(t, map[string][]string{"api.test": {"93.184.215.14"}, "evil.test": {"93.184.215.15"}, "x.api.test": {"93.184.215.16"},
				"nas.test": {"10.0.0.7"}, "meta.test": {"169.254.169.254"}})
			o := w.listing(strings.Fields(c.hosts)...)
			o.Policy.AllowPrivate = strings.Fields(c.grants)
			out, err := runIn(t, o, "/usr/bin/curl", "-sS", c.url)
			if (err == nil) != c.ok || (len(w.dials()) > 0) != c.ok {
				t.Errorf("%v: %s; dialled %v", err, out, w.dials())
			}
		})
	}
}

// A name that is not listed is not even asked for outside: whoever serves it would read what the name holds.
func TestListAnswersNoOtherNames(t *testing.T) {
	w := newWorld(t, map[string][]string{"evil.test": {"93.184.215.15"}})
	r, err := w.listing("api.test:443").Policy.rules()
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(r, w.listing())
	defer s.Close()
	for _, kind := range []dnsmessage.Type{dnsmessage.TypeA, dnsmessage.TypeAAAA, dnsmessage.TypeTXT} {
		var m dnsmessage.Message
		if err := m.Unpack(s.answer(ask(t, "secret.evil.test.", kind, dnsmessage.ClassINET))); err != nil || m.RCode != dnsmessage.RCodeNameError {
			t.Errorf("%v: %v %v", kind, m.RCode, err)
		}
	}
	if len(w.asked) > 0 {
		t.Errorf("asked outside: %v", w.asked)
	}
}

// A kernel without nftables serves the ports that are listed.
func TestListWithoutRedirect(t *testing.T) {
	w := newWorld(t, map[string][]string{"api.test": {"93.184.215.14"}})
	broken := func(p *inside.Plan) { p.Redirect[0][19] = 0xee }
	b := startIn(t, w.listing("api.test:8123", "api.test:80"), broken, "/usr/bin/curl", "-sS", "http://api.test:8123/", "http://93.184.215.14/")
	out, err := b.wait()
	if b.sockets.Redirect || err == nil || !strings.Contains(out, "hello api.test:8123") || !slices.Equal(w.dials(), []string{"93.184.215.14:8123"}) {
		t.Errorf("%v: %s; dialled %v", err, out, w.dials())
	}
}

// What a connector had to do with whom is counted, by host.
func TestContacts(t *testing.T) {
	w := newWorld(t, map[string][]string{"api.test": {"93.184.215.14"}, "nas.test": {"10.0.0.7"}})
	b := startIn(t, w.listing("api.test:80", "nas.test:80"), nil, "/bin/sh", "-c",
		"for u in api.test api.test nas.test evil.test 93.184.215.14; do curl -sS http://$u/; done")
	if out, _ := b.wait(); strings.Count(out, "hello") != 2 {
		t.Fatal(out)
	}
	got := map[string]Contact{}
	for _, c := range b.server.Contacts() {
		got[c.Host] = c
	}
	if c := got["api.test"]; c.Connections != 2 || c.Refused != 0 {
		t.Errorf("%+v", c)
	}
	for _, host := range []string{"nas.test", "evil.test", "93.184.215.14"} {
		if c := got[host]; c.Connections != 0 || c.Refused == 0 {
			t.Errorf("%s: %+v", host, c)
		}
	}
}

// Whoever invents hosts fills nothing.
func TestContactsAreBounded(t *testing.T) {
	var c contacts
	for i := range 10_000 {
		c.refused(fmt.Sprint(i))
	}
	all := c.list()
	if len(all) != maxContacts+1 || all[0].Host != otherHosts || all[0].Refused != 10_000-maxContacts {
		t.Errorf("%d hosts, the first %+v", len(all), all[0])
	}
}
