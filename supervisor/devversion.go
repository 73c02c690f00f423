package supervisor

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"majordomo/configs/manifest"
	"majordomo/deps"
	"majordomo/install"
	"majordomo/supervisor/activations"
)

// notWritten is the number of an activation that is not in the database. It is
// larger than any other, so its tools are listed last.
const notWritten = math.MaxInt64

// devVersion is one version of a connector under development. Once it is in
// Supervisor.devVersions nothing in it changes, but that replaced is closed.
type devVersion struct {
	key    key
	act    activations.Activation // never written down
	pkg    install.Package
	filled values

	replaced chan struct{} // closed when newer files took its place
}

// devName is the name of an activation under development. It cannot be the name of
// any other: those have no dots.
func devName(connector string) string { return activations.NameOf(connector) + ".dev" }

func (s *Supervisor) devVersion(k key) *devVersion {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.devVersions[k]
}

func (s *Supervisor) allDevVersions() []*devVersion {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Collect(maps.Values(s.devVersions))
}

// newDevVersion checks what was sent and writes it to the disk. Nothing that runs is
// touched. With an error it may return a version, whose files the caller removes.
func (s *Supervisor) newDevVersion(ctx context.Context, d Development) (*devVersion, error) {
	k := key{d.Member, d.Connector}
	if err := s.exists(ctx, d.Member); err != nil {
		return nil, err
	}
	if err := s.checkCount(k); err != nil {
		return nil, err
	}
	if err := checkNames(k, d.Files); err != nil {
		return nil, err
	}
	dev := &devVersion{
		key: k, replaced: make(chan struct{}),
		act: activations.Activation{Member: d.Member, Connector: d.Connector, Name: devName(d.Connector)},
	}
	var err error
	if dev.pkg, err = writeDevFiles(s.o.Paths, k, d.Files); err != nil {
		return dev, err
	}
	form := dev.pkg.Release.Env
	filled := values{}.with(form, d.Set, d.Secrets)
	if problems := filled.problems(form); len(problems) > 0 {
		return dev, &Invalid{What: "run " + d.Connector, Problems: problems}
	}
	dev.filled = filled.complete(form)
	// Python tells bytecode of old text by size and second, and versions follow each other faster than that.
	dev.filled.plain["PYTHONDONTWRITEBYTECODE"] = "1"
	return dev, s.identify(ctx, &dev.act, "development")
}

// checkCount refuses more than maxDevVersions of one member.
func (s *Supervisor) checkCount(k key) error {
	n := 0
	for _, dev := range s.allDevVersions() {
		if dev.key.member == k.member && dev.key != k {
			n++
		}
	}
	if n >= maxDevVersions {
		return &manifest.Refusal{What: "run " + k.connector, Why: fmt.Sprintf("%s has %d connectors under development already", k.member, n)}
	}
	return nil
}

// needs is what its dependencies are built from. Trees and download caches are
// apart from those of installed connectors and of other members.
func (dev *devVersion) needs() deps.Package {
	id := fmt.Sprintf("%s+dev+%s", dev.key.connector, dev.key.member)
	return deps.Package{ID: id, Dir: dev.pkg.Dir, Files: dev.pkg.Release.Files, DeclaredOnly: true}
}

// mustVerify is true the first time, and when the check itself changed.
func (dev *devVersion) mustVerify(before *devVersion) bool {
	check := dev.pkg.Release.Verify
	if check == nil || before == nil || before.pkg.Release.Verify == nil {
		return check != nil
	}
	now, _ := dev.pkg.Release.File(check.Script)
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

// forOneMember is a release as it is tried out: for one member, whatever it will be.
func forOneMember(r manifest.Release) (manifest.Release, error) {
	r.Scope = manifest.ScopeUser
	if err := r.Installable(); err != nil {
		return r, &manifest.Refusal{What: "run " + r.ID, Why: strings.TrimPrefix(err.Error(), "cannot install "+r.ID+": ")}
	}
	return r, runnable(r)
}
