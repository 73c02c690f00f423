package conformance

import (
	"bytes"
	"context"
	"os"
	"path/filepath"

	"majordomo/configs"
	"majordomo/configs/manifest"
	"majordomo/deps"
	"majordomo/deps/guard"
	"majordomo/deps/inside"
	"majordomo/sandbox"
)

// uid is the connector's: beside that of dependency builds, or our own where we are
// not root and have no other to give.
func uid() int {
	if own := os.Geteuid(); own != 0 {
		return own
	}
	return deps.DefaultUID - 1
}

// gid is uid's, likewise.
func gid() int {
	if os.Geteuid() != 0 {
		return os.Getegid()
	}
	return uid()
}

// member is whose home it runs in.
const member = "test"

// place is where the connector runs: a package, a tree and a home like those the
// daemon makes, for this run alone.
type place struct {
	o       Options
	dir     string // of the author
	paths   configs.Paths
	host    *sandbox.Host
	release manifest.Release
	tree    deps.Tree
}

// pack copies what would be shipped, for the connector runs as somebody who may not
// be able to read the author's files.
func (p *place) pack() error {
	to := p.paths.Connector(p.release.ID)
	for _, f := range p.release.Files {
		data, err := os.ReadFile(filepath.Join(p.dir, filepath.FromSlash(f.Path)))
		if err != nil {
			return err
		}
		file := filepath.Join(to, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		mode := os.FileMode(0o644)
		if bytes.HasPrefix(data, []byte("#!")) {
			mode = 0o755 // as an install makes it
		}
		if err := os.WriteFile(file, data, mode); err != nil {
			return err
		}
	}
	if err := guard.Write(p.paths); err != nil {
		return err
	}
	for _, dir := range []string{p.home(), p.files()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		if os.Geteuid() == 0 {
			if err := os.Chown(dir, uid(), gid()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *place) home() string  { return p.paths.ConnectorDir(member, p.release.ID) }
func (p *place) files() string { return p.paths.Files(member) }

// build installs what the connector depends on.
func (p *place) build(ctx context.Context) error {
	builder := deps.New(deps.Options{Paths: p.paths, Sandbox: p.host, Runtimes: p.o.Runtimes, Log: p.o.Log})
	var err error
	p.tree, err = builder.Ensure(ctx, deps.Package{
		ID: p.release.ID, Dir: p.paths.Connector(p.release.ID), Files: p.release.Files,
	}, p.o.Progress)
	return err
}

// spec is what the daemon would start.
func (p *place) spec(ctx context.Context) (sandbox.Spec, error) {
	runtime, err := p.o.Runtimes.Find(ctx, p.release.Command)
	if err != nil {
		return sandbox.Spec{}, err
	}
	c := inside.Connector{
		Paths: p.paths, Member: member, Name: p.release.ID, Package: p.paths.Connector(p.release.ID), Release: p.release,
		Tree: p.tree, Runtime: runtime,
	}
	network := sandbox.NetworkOpen
	if p.release.Egress != nil {
		network = sandbox.NetworkList
	}
	return sandbox.Spec{
		Name: "author-test", Argv: c.Argv(), Env: c.Env(p.values()), Dir: inside.Dir(c.Name), UID: uid(), GID: gid(),
		Runtimes: runtime.Prefixes, Mounts: c.Mounts(), Network: network, Hosts: p.release.Egress,
		Limits: sandbox.Limits{Memory: inside.DefaultMemory},
	}, nil
}
