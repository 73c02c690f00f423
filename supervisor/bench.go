package supervisor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"majordomo/configs"
	"majordomo/configs/manifest"
	"majordomo/deps"
	"majordomo/install"
	"majordomo/install/author"
	"majordomo/supervisor/activations"
)

// unwritten is the number of an activation that is not remembered: no row has it,
// and its tools come last.
const unwritten = math.MaxInt64

// bench is where one version of a connector under development lies. It is data;
// nothing in it changes once it is in Supervisor.benches, but that over is closed.
type bench struct {
	key    key
	act    activations.Activation // never written down
	pkg    install.Package
	filled values
	over   chan struct{} // closed when newer files took its place
}

// Below a bench's place: what runs, and what was sent last and may not be fit to.
const (
	benchNow  = "now"
	benchNext = "next"
)

// nameOnBench can be the name of no other activation: those have no dots.
func nameOnBench(connector string) string { return activations.NameOf(connector) + ".dev" }

func (s *Supervisor) bench(k key) *bench {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.benches[k]
}

func (s *Supervisor) allBenches() []*bench {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Collect(maps.Values(s.benches))
}

// newBench checks what was sent and lays it out. Nothing that runs is touched. With
// an error there may be a bench, of which something may lie on the disk.
func (s *Supervisor) newBench(ctx context.Context, d Development) (*bench, error) {
	k := key{d.Member, d.Connector}
	if err := s.exists(ctx, d.Member); err != nil {
		return nil, err
	}
	if err := s.room(k); err != nil {
		return nil, err
	}
	if err := checkNames(k, d.Files); err != nil {
		return nil, err
	}
	b := &bench{
		key: k, over: make(chan struct{}),
		act: activations.Activation{Member: d.Member, Connector: d.Connector, Name: nameOnBench(d.Connector)},
	}
	var err error
	if b.pkg, err = lay(s.o.Paths, k, d.Files); err != nil {
		return b, err
	}
	form := b.pkg.Release.Env
	filled := values{}.with(form, d.Set, d.Secrets)
	if problems := filled.problems(form); len(problems) > 0 {
		return b, &Invalid{What: "run " + d.Connector, Problems: problems}
	}
	b.filled = filled.complete(form)
	// Python tells bytecode of old text by size and second, and versions follow each other faster than that.
	b.filled.plain["PYTHONDONTWRITEBYTECODE"] = "1"
	return b, s.identify(ctx, &b.act, "development")
}

// room refuses one too many.
func (s *Supervisor) room(k key) error {
	n := 0
	for _, b := range s.allBenches() {
		if b.key.member == k.member && b.key != k {
			n++
		}
	}
	if n >= maxBenches {
		return &manifest.Refusal{What: "run " + k.connector, Why: fmt.Sprintf("%s has %d connectors under development already", k.member, n)}
	}
	return nil
}

// needs is what its dependencies are built from. Trees and download caches are
// apart from those of installed connectors and of other members.
func (b *bench) needs() deps.Package {
	id := fmt.Sprintf("%s+dev+%s", b.key.connector, b.key.member)
	return deps.Package{ID: id, Dir: b.pkg.Dir, Files: b.pkg.Release.Files, Lean: true}
}

// mustVerify is true the first time, and when the check itself changed.
func (b *bench) mustVerify(before *bench) bool {
	check := b.pkg.Release.Verify
	if check == nil || before == nil || before.pkg.Release.Verify == nil {
		return check != nil
	}
	now, _ := b.pkg.Release.File(check.Script)
	then, _ := before.pkg.Release.File(check.Script)
	return *check != *before.pkg.Release.Verify || now != then
}

// checkNames refuses what could not even be written down.
func checkNames(k key, files map[string][]byte) error {
	err := errors.Join(manifest.CheckID(k.connector), manifest.CheckPaths(slices.Sorted(maps.Keys(files))))
	if len(files) > manifest.MaxFiles {
		err = fmt.Errorf("it has more than %d files", manifest.MaxFiles)
	}
	if err != nil {
		return &Invalid{What: "run " + k.connector, Problems: []string{err.Error()}}
	}
	return nil
}

// lay writes files that a client sent to where the next version of a bench lies,
// and reads them as whoever installs it would.
func lay(paths configs.Paths, k key, files map[string][]byte) (install.Package, error) {
	dir := filepath.Join(paths.Bench(k.member, k.connector), benchNext, k.connector)
	if err := os.RemoveAll(dir); err != nil {
		return install.Package{}, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return install.Package{}, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return install.Package{}, err
	}
	defer root.Close()
	for name, text := range files {
		mode := os.FileMode(0o644)
		if bytes.HasPrefix(text, []byte("#!")) {
			mode = 0o755
		}
		if err := errors.Join(root.MkdirAll(path.Dir(name), 0o755), root.WriteFile(name, text, mode)); err != nil {
			return install.Package{}, err
		}
	}
	release, err := author.Release(dir)
	if err != nil {
		return install.Package{}, &manifest.Refusal{What: "run " + k.connector, Why: err.Error()}
	}
	if release, err = forOne(release); err != nil {
		return install.Package{}, err
	}
	return install.Package{Release: release, Dir: dir, InstalledAt: time.Now(), Digest: install.FilesDigest(release.Files)}, nil
}

// settle moves the next version to where versions run from. What still runs from
// the one before keeps its files.
func (b *bench) settle(paths configs.Paths) error {
	now := filepath.Join(paths.Bench(b.key.member, b.key.connector), benchNow)
	to := filepath.Join(now, b.key.connector)
	if err := errors.Join(os.RemoveAll(to), os.MkdirAll(now, 0o755)); err != nil {
		return err
	}
	if err := os.Rename(b.pkg.Dir, to); err != nil {
		return err
	}
	b.pkg.Dir = to
	return nil
}

// clear removes everything of a bench from the disk; nothing may run from it.
func (b *bench) clear(paths configs.Paths) error { return clearBench(paths, b.key) }

func clearBench(paths configs.Paths, k key) error {
	name := nameOnBench(k.connector)
	err := deps.Remove(paths.ConnectorDir(k.member, name)) // it may be closed even to its owner
	for _, log := range []string{paths.Log(k.member, name), paths.Log(k.member, name) + ".1"} {
		err = errors.Join(err, os.RemoveAll(log))
	}
	return errors.Join(err, os.RemoveAll(paths.Bench(k.member, k.connector)))
}

// clearWorkshop removes what a daemon that was killed left.
func (s *Supervisor) clearWorkshop() error {
	left, err := filepath.Glob(s.o.Paths.Bench("*", "*"))
	for _, dir := range left {
		member, connector := filepath.Base(filepath.Dir(dir)), filepath.Base(dir)
		err = errors.Join(err, clearBench(s.o.Paths, key{member, connector}))
	}
	return err
}
