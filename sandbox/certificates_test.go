package sandbox

import (
	"bytes"
	"os"
	"os/exec"
	"testing"
)

// otherCertificates puts them, for the processes of one mount namespace, where openSUSE and Alpine have them.
const otherCertificates = `set -e
mount --make-rprivate /
mount -t tmpfs none /var/lib
mkdir /var/lib/ca-certificates
echo suse >/var/lib/ca-certificates/ca-bundle.pem
mount -t tmpfs none /etc/ssl
mkdir /etc/ssl/certs
echo alpine >/etc/ssl/certs/all.pem
ln -s /var/lib/ca-certificates/ca-bundle.pem /etc/ssl/ca-bundle.pem
ln -s certs/all.pem /etc/ssl/cert.pem
exec "$0" -test.v -test.run '^TestShownCertificates$'`

func TestCertificatesOfOtherDistributions(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can move the host's certificates, for itself")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("unshare", "--mount", "sh", "-c", otherCertificates, self)
	cmd.Env = append(os.Environ(), "SANDBOX_TEST_CERTIFICATES=moved")
	if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("--- PASS")) {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestShownCertificates(t *testing.T) {
	if os.Getenv("SANDBOX_TEST_CERTIFICATES") == "" {
		t.Skip("run by TestCertificatesOfOtherDistributions")
	}
	if got := succeed(t, openHost(t), shell("cat /etc/ssl/ca-bundle.pem /etc/ssl/cert.pem /var/lib/ca-certificates/ca-bundle.pem")); got != "suse\nalpine\nsuse" {
		t.Errorf("inside there is %q", got)
	}
}
