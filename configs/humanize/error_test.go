package humanize_test

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"majordomo/configs/humanize"
)

func TestError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	_, missing := os.ReadFile(file)
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, below := os.ReadFile(filepath.Join(file, "x"))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	_, refused := net.Dial("tcp", l.Addr().String())
	offline := &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "dial udp 192.0.2.1:53: connect: network is unreachable", Name: "feed.example.org", IsTemporary: true}}
	for want, err := range map[string]error{
		"there is no such file or directory":                                    missing,
		"a part of the path is a file":                                          below,
		"nothing listens there":                                                 refused,
		"the name feed.example.org cannot be looked up: no name server answers": offline,
		"there is no host of the name nobody.example.org":                       &net.DNSError{Name: "nobody.example.org", IsNotFound: true},
		"no space is left on the disk":                                          fmt.Errorf("write: %w", syscall.ENOSPC),
		"something else":                                                        errors.New("something else"),
	} {
		if got := humanize.Error(err); got == nil || got.Error() != want || !errors.Is(got, err) {
			t.Errorf("%v: said %v, want %s", err, got, want)
		}
	}
	if !errors.Is(humanize.Error(missing), fs.ErrNotExist) {
		t.Error("a missing file is no longer one")
	}
	if err := humanize.Error(nil); err != nil {
		t.Errorf("nothing is said to be %v", err)
	}
}
