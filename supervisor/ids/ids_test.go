package ids

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"majordomo/configs/database"
)

func open(t *testing.T) *sql.DB {
	t.Helper()
	db, err := database.Open(filepath.Join(t.TempDir(), "majordomo.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func of(t *testing.T, i *IDs, purpose string) int {
	t.Helper()
	id, err := i.Of(t.Context(), purpose)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestNeverReused(t *testing.T) {
	db := open(t)
	low, err := New(t.Context(), db, 5000)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := of(t, low, "a"), of(t, low, "b"); a != 5000 || b != 5001 {
		t.Errorf("got %d and %d, want 5000 and 5001", a, b)
	}
	// Another base moves what comes and keeps what is.
	high, err := New(t.Context(), db, 7000)
	if err != nil {
		t.Fatal(err)
	}
	if a, c := of(t, high, "a"), of(t, high, "c"); a != 5000 || c != 7000 {
		t.Errorf("got %d and %d, want 5000 and 7000", a, c)
	}
	// Back to a lower base: what was given above it is still not met again.
	if d := of(t, low, "d"); d != 7001 {
		t.Errorf("got %d, want 7001", d)
	}
}

func TestPickBase(t *testing.T) {
	const whole = "         0          0 4294967295\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		want  int // 0 = none fits
	}{
		{"a plain machine", map[string]string{
			"etc/passwd": "root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n",
			"etc/subuid": "ann:100000:65536\nbob:165536:65536\n", "proc/self/uid_map": whole}, 2_000_000_000},
		{"an account in the first range", map[string]string{
			"etc/passwd": "odd:x:2000000003:1::/:/bin/sh\n", "proc/self/uid_map": whole}, 2_000_000},
		{"a group in the first range", map[string]string{
			"etc/group": "odd:x:2000000003:\n", "proc/self/uid_map": whole}, 2_000_000},
		{"subordinate ids everywhere high", map[string]string{
			"etc/subuid": "ann:150000:2100000000\n", "proc/self/uid_map": whole}, 10_000},
		{"a container with 65536 ids", map[string]string{
			"proc/self/uid_map": "0 100000 65536\n"}, 10_000},
		{"rubbish lines are skipped", map[string]string{
			"etc/subuid": "\n#x\nann:many:65536\nann:1\n", "proc/self/uid_map": whole}, 2_000_000_000},
		{"one id only", map[string]string{"proc/self/uid_map": "0 1000 1\n"}, 0},
	} {
		root := t.TempDir() + "/"
		for name, content := range c.files {
			if err := os.MkdirAll(filepath.Dir(root+name), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(root+name, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got, err := pickBase(root)
		if got != c.want || (err == nil) != (c.want != 0) {
			t.Errorf("%s: got %d (%v), want %d", c.name, got, err, c.want)
		}
		if err != nil && !strings.Contains(err.Error(), "uid_base") {
			t.Errorf("%s: %v does not say what to do", c.name, err)
		}
	}
}

func TestPickBaseHere(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("an ordinary user needs no base")
	}
	if _, err := PickBase(); err != nil {
		t.Error(err)
	}
}
