package fetch_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"majordomo/install/fetch"
)

// certificate is one for loopback, valid for an hour from then on.
func certificate(t *testing.T, from time.Time) (tls.Certificate, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: from, NotAfter: from.Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}), 0o644); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key}, file
}

// A machine that was just switched on believes that it is last year. That is said, and nothing else is called a wrong clock.
func TestClock(t *testing.T) {
	for name, tt := range map[string]struct {
		from  time.Duration
		fails bool
		clock bool
	}{
		"valid": {-time.Minute, false, false}, "not yet": {24 * time.Hour, true, true}, "no more": {-24 * time.Hour, true, false},
	} {
		cert, ca := certificate(t, time.Now().Add(tt.from))
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "x") }))
		server.TLS = &tls.Config{Certificates: []tls.Certificate{cert}}
		server.StartTLS()
		_, err := open(t, server.URL, fetch.Options{CAFile: ca}).Document(t.Context(), "x", 10)
		server.Close()
		if (err != nil) != tt.fails || tt.clock != (err != nil && strings.Contains(err.Error(), "this machine's clock says ")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
