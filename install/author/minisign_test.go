package author

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jedisct1/go-minisign"

	"majordomo/install/feed"
)

// What we sign, minisign verifies; what minisign signs, we believe; and a key that minisign made, we sign with.
func TestMinisign(t *testing.T) {
	if _, err := exec.LookPath("minisign"); err != nil {
		t.Skip("the program minisign is not here")
	}
	dir := t.TempDir()
	run := func(args ...string) error {
		cmd := exec.Command("minisign", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Logf("minisign %s: %s", strings.Join(args, " "), out)
		}
		return err
	}
	if err := run("-G", "-W", "-p", "key.pub", "-s", "key.secret"); err != nil {
		t.Fatal(err)
	}
	public, err := minisign.NewPublicKeyFromFile(filepath.Join(dir, "key.pub"))
	if err != nil {
		t.Fatal(err)
	}
	index := []byte(`{"sequence":1,"connectors":[]}`)
	file := filepath.Join(dir, "connectors.json")
	write := func(name string, text []byte) {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(file, index)

	signed, err := Sign(index, Key{File: filepath.Join(dir, "key.secret")})
	if err != nil {
		t.Fatal(err)
	}
	write(file+".minisig", signed.Text)
	if err := run("-V", "-m", "connectors.json", "-P", signed.PublicKey); err != nil {
		t.Errorf("minisign does not verify what we signed: %v", err)
	}
	for _, hashed := range []string{"-H", "-l"} { // as it signs now, and as it did once
		if err := run("-S", hashed, "-m", "connectors.json", "-s", "key.secret", "-t", "by the publisher"); err != nil {
			t.Fatal(err)
		}
		signature, err := os.ReadFile(file + ".minisig")
		if err != nil {
			t.Fatal(err)
		}
		if why := feed.Distrust(&public, index, signature); why != "" {
			t.Errorf("what minisign %s signed: %s", hashed, why)
		}
		if why := feed.Distrust(&public, append(index, ' '), signature); !strings.Contains(why, "not a signature of these bytes") {
			t.Errorf("minisign %s, other bytes: %q", hashed, why)
		}
	}
	write(file, append(index, ' '))
	write(file+".minisig", signed.Text)
	if run("-V", "-m", "connectors.json", "-P", signed.PublicKey) == nil {
		t.Error("minisign verifies anything")
	}
}
