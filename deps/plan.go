package deps

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"majordomo/deps/declared"
	"majordomo/sandbox/runtimes"
)

// plan is everything that is known of a build before it starts. What is not needed is zero.
type plan struct {
	pkg    Package
	files  []source
	key    string // "" = nothing to install
	node   runtimes.Runtime
	npm    runtimes.Runtime
	pip    runtimes.Runtime
	locked bool // npm finds a lockfile
	root   declared.PackageJSON
}

func (p *plan) wantsNPM() bool { return p.npm.Path != "" }
func (p *plan) wantsPip() bool { return p.pip.Path != "" }

// plan reads the package and finds the tools it needs.
func (b *Builder) plan(ctx context.Context, p Package) (*plan, error) {
	pl := &plan{pkg: p}
	root, err := os.OpenRoot(p.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	files, err := inputs(root, p)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if f.HostOnly() {
			continue
		}
		s, err := readSource(root, f.Path)
		if err != nil {
			return nil, err
		}
		if f.Path == ownConfig {
			s.rewrite = keptConfig
		}
		pl.files = append(pl.files, s)
		pl.locked = pl.locked || slices.Contains(declared.Lockfiles, f.Path)
	}
	if err := b.tools(ctx, pl, root); err != nil {
		return nil, err
	}
	pl.key = b.key(pl)
	return pl, nil
}

// tools finds node and npm, or python and pip, where the package gives them something to do.
func (b *Builder) tools(ctx context.Context, pl *plan, root *os.Root) (err error) {
	if pl.ships(declared.PackageFile) {
		if pl.root, err = readPackageJSON(root); err != nil {
			return err
		}
		if err := pl.checkFolders(); err != nil {
			return err
		}
		if !pl.root.Empty() {
			if pl.node, err = b.o.Runtimes.Find(ctx, "node"); err != nil {
				return err
			}
			if pl.npm, err = b.o.Runtimes.Find(ctx, "npm"); err != nil {
				return err
			}
		}
	}
	if pl.ships(declared.RequirementsFile) {
		text, err := root.ReadFile(declared.RequirementsFile)
		if err != nil {
			return err
		}
		if !declared.Requirements(text).Empty() {
			pl.installFolders(root)
			pl.pip, err = b.o.Runtimes.Find(ctx, "pip")
		}
		return err
	}
	return nil
}

// installFolders has pip install what it was to link to.
func (p *plan) installFolders(root *os.Root) {
	read := requirementFiles(root)
	for i, f := range p.files {
		if _, is := read[f.path]; is {
			p.files[i].rewrite = func(text string) string { return string(declared.Requirements(text).NotEditable()) }
		}
	}
}

func (p *plan) ships(path string) bool {
	return slices.ContainsFunc(p.files, func(s source) bool { return s.path == path })
}

func readPackageJSON(root *os.Root) (declared.PackageJSON, error) {
	text, err := root.ReadFile(declared.PackageFile)
	if err != nil {
		return declared.PackageJSON{}, err
	}
	p, err := declared.ParsePackageJSON(text)
	if err != nil {
		return p, fmt.Errorf("cannot read package.json: %w: ask the publisher to correct it", err)
	}
	return p, nil
}

// checkFolders refuses a dependency on a folder or file of this host that the package does not ship: npm makes a link to
// nowhere of it and says that it succeeded.
func (p *plan) checkFolders() error {
	for _, name := range slices.Sorted(maps.Keys(p.root.Dependencies)) {
		spec, _ := p.root.Dependencies[name].(string)
		place, is := declared.Folder(spec)
		if !is {
			continue
		}
		within := func(s source) bool { return s.path == place || strings.HasPrefix(s.path, place+"/") }
		if place != "." && !slices.ContainsFunc(p.files, within) {
			return fmt.Errorf("package.json asks for %s in %s, which is not among the connector's files: ask the publisher to ship it", name, spec)
		}
	}
	return nil
}
