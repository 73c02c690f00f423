package deps

import (
	"io/fs"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// spoil puts garbage into every file of the connector's download caches.
func spoil(t *testing.T, l *lab) (spoilt int) {
	t.Helper()
	err := filepath.WalkDir(l.builder.o.Paths.DepsCache("demo"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		spoilt++
		return os.WriteFile(path, []byte("{ garbage"), 0o644)
	})
	if err != nil || spoilt == 0 {
		t.Fatalf("spoilt %d files, %v", spoilt, err)
	}
	return spoilt
}

// A cache that is damaged is as good as none, and heals by itself.
func TestDamagedNPMCache(t *testing.T) {
	r := newNPMRegistry(t, greeter("1.0.0", "hello"))
	l := npmLab(t, Options{}, r)
	files := map[string]string{"package.json": depends("greeter", "1.0.0"), "package-lock.json": r.lockfile(map[string]string{"greeter": "1.0.0"})}
	l.must(files)
	spoil(t, l)
	files["other.js"] = "another tree"
	l.must(files)
}

// pip keeps only what came over TLS.
func TestDamagedPipCache(t *testing.T) {
	x := startPipIndex(t, (*httptest.Server).StartTLS)
	x.wheel(t, "greeter", "1.0", "")
	ca := write(t, filepath.Join(t.TempDir(), "ca.pem"), certificate(x.Server))
	l := newLab(t, "pip", Options{}, "PIP_INDEX_URL="+x.url(), "PIP_CERT="+ca)
	l.must(map[string]string{"requirements.txt": "greeter\n"})
	spoil(t, l)
	l.must(map[string]string{"requirements.txt": "greeter\n", "other.py": "another tree"})
}

// Several versions of one connector are built side by side, as when an update comes while an older one is being built, and
// share its cache.
func TestOneCacheForManyBuilds(t *testing.T) {
	r := newNPMRegistry(t, greeter("1.0.0", "hello"), simple("second", nil), simple("third", nil))
	l := npmLab(t, Options{}, r)
	var all sync.WaitGroup
	for _, n := range []string{"1", "2", "3", "4"} {
		p := connector(t, filepath.Join(l.state, n), map[string]string{
			"package.json": `{"dependencies": {"greeter": "1.0.0", "second": "1.0.0", "third": "1.0.0"}}`, "index.js": n,
		})
		all.Go(func() {
			if _, err := l.builder.Ensure(t.Context(), p, nil); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// A disk that is full says so, and leaves nothing behind to fill it.
func TestFullDisk(t *testing.T) {
	if !asRoot() {
		t.Skip("TestFullDisk skipped: only root can mount a small disk")
	}
	big := simple("big", nil)
	var noise strings.Builder
	random := rand.New(rand.NewPCG(1, 2))
	for range 6 << 20 {
		noise.WriteByte(byte('!' + random.IntN(90)))
	}
	big.files["big.txt"] = noise.String()
	r := newNPMRegistry(t, big)
	l := npmLab(t, Options{}, r)
	disk := l.builder.o.Paths.Deps()
	if err := os.MkdirAll(disk, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("none", disk, "tmpfs", 0, "size=7m"); err != nil {
		t.Skipf("TestFullDisk skipped: cannot mount a small disk: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(disk, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	l.refuse(map[string]string{"package.json": depends("big", "1.0.0")}, "the disk is full")
	l.refuse(map[string]string{"package.json": depends("big", "1.0.0"), "index.js": strings.Repeat(noise.String(), 2)},
		"prepare: ", "the disk is full: make room and try again")
}
