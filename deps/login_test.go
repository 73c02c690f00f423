package deps

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// onlyKnown has a server ask for a certificate.
func onlyKnown(s *httptest.Server) {
	s.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	s.StartTLS()
}

// identityOf writes the server's own certificate and key, which are as good as any, where only their owner can read them.
func identityOf(t *testing.T, s *httptest.Server) (cert, key, both string) {
	t.Helper()
	pair := s.TLS.Certificates[0]
	der, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	certPEM := certificate(s)
	keyPEM := string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	dir := t.TempDir()
	for name, text := range map[string]string{"cert.pem": certPEM, "key.pem": keyPEM, "both.pem": certPEM + keyPEM} {
		if err := os.Chmod(write(t, filepath.Join(dir, name), text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"), filepath.Join(dir, "both.pem")
}

// A registry that wants to see a certificate. The authority's file is as private as the key. The script that runs afterwards sees nothing of it.
func TestNPMClientCertificate(t *testing.T) {
	r := startNPMRegistry(t, onlyKnown, scripted("1.0.0", `
const fs = require("fs"), seen = fs.existsSync("/root/.majordomo/login") || JSON.stringify(process.env).includes("key.pem")
fs.writeFileSync("found", String(seen))`))
	cert, key, _ := identityOf(t, r.Server)
	place := "npm_config_" + strings.TrimPrefix(r.URL, "https:") + "/"
	common := []string{"npm_config_registry=" + r.URL + "/", "npm_config_cafile=" + cert, "npm_config_fetch_retries=0"}
	l := newLab(t, "npm", Options{}, common...)
	files := map[string]string{"package.json": depends("scripted", "1.0.0")}
	l.refuse(files, "asks for a client certificate")
	l.builder = l.another(Options{}, append(common, place+":certfile="+cert, place+":keyfile="+key)...)
	tree := l.must(files)
	if found := read(t, filepath.Join(tree.NodeModules, "scripted/found")); found != "false" {
		t.Error("a script found the certificate's key")
	}
	if err := l.builder.Reachable(t.Context())["npm"]; err != nil {
		t.Errorf("not reachable: %v", err)
	}
	nothingButTree(t, l, tree)
}

func TestPipClientCertificate(t *testing.T) {
	x := startPipIndex(t, onlyKnown)
	x.wheel(t, "greeter", "1.0", "")
	cert, _, both := identityOf(t, x.Server)
	common := []string{"PIP_INDEX_URL=" + x.url(), "PIP_CERT=" + cert, "PIP_RETRIES=0"}
	l := newLab(t, "pip", Options{}, common...)
	files := map[string]string{"requirements.txt": "greeter\n"}
	l.refuse(files, "asks for a client certificate")
	l.builder = l.another(Options{}, append(common, "PIP_CLIENT_CERT="+both)...)
	tree := l.must(files)
	if err := l.builder.Reachable(t.Context())["pip"]; err != nil {
		t.Errorf("not reachable: %v", err)
	}
	nothingButTree(t, l, tree)
}

// A password that only .netrc has reaches the index, and nobody who builds.
func TestNetrc(t *testing.T) {
	x := newPipIndex(t)
	x.password = "s3cret"
	x.wheel(t, "greeter", "1.0", "")
	l := pipLab(t, Options{}, x)
	files := map[string]string{"requirements.txt": "greeter\n"}
	l.refuse(files, "wants credentials")
	write(t, filepath.Join(l.home, ".netrc"), "machine other.test login o password 0ther\nmachine 127.0.0.1 login user password s3cret\n")
	l.builder = l.another(Options{}, "PIP_INDEX_URL="+x.url())
	l.must(files)
	// The build asks the index too, and is refused: it has no credentials.
	x.source(t, "sdist", "1.0", careful)
	if tree, err := l.ensure(map[string]string{"requirements.txt": "sdist\n"}); err == nil || !slices.Contains(l.phases(), phasePipBuild) {
		t.Errorf("%+v, %v", tree, err)
	}
	if strings.Contains(l.printed(), "s3cret") {
		t.Error("somebody saw the password")
	}
}

func TestNetrcEntries(t *testing.T) {
	home := t.TempDir()
	write(t, filepath.Join(home, ".netrc"), `# mine
machine index.test
	login user
	password s3cret
macdef init
	machine index.test login x password inside-a-macro

machine other.test login o password 0ther account a
default login anybody password anything
`)
	b := New(Options{Environ: []string{"HOME=" + home}})
	text, passwords := b.netrc([]string{"https://index.test:8443/simple", "https://nobody.test/"})
	if text != "machine index.test login user password s3cret\n" || !slices.Equal(passwords, []string{"s3cret"}) {
		t.Errorf("%q, passwords %q", text, passwords)
	}
	if text, _ := b.netrc([]string{"https://elsewhere.test/"}); text != "" {
		t.Errorf("for nobody: %q", text)
	}
}

// A password in the registry's address becomes npm's own kind of credential, and no variable.
func TestNPMPasswordInTheAddress(t *testing.T) {
	r := newNPMRegistry(t)
	r.publish(t, scripted("1.0.0", fmt.Sprintf(probeScript, t.TempDir(), r.URL)))
	l := newLab(t, "npm", Options{}, "npm_config_registry="+strings.Replace(r.URL, "//", "//user:s3cret@", 1)+"/npm/")
	l.refuse(map[string]string{"package.json": depends("scripted", "1.0.0")}, "does not have")
	authorized := slices.ContainsFunc(r.asked, func(q *http.Request) bool { _, password, _ := q.BasicAuth(); return password == "s3cret" })
	if !authorized || strings.Contains(l.printed(), "s3cret") {
		t.Errorf("the registry was shown the password: %v; somebody saw it: %v", authorized, strings.Contains(l.printed(), "s3cret"))
	}
	s, err := l.builder.npmOutside(t.Context(), tool(t, "npm"))
	if err != nil || strings.Contains(strings.Join(s.env, " "), "s3cret") || len(s.logins) != 2 {
		t.Errorf("environment %q, %d lines, %v", s.env, len(s.logins), err)
	}
}
