package deps

import (
	"context"
	"os"
	"slices"

	"majordomo/configs/manifest"
	"majordomo/sandbox/runtimes"
)

const (
	npmFile = "package.json"
	pipFile = "requirements.txt"
)

// lockfiles are what npm ci goes by.
var lockfiles = []string{"npm-shrinkwrap.json", "package-lock.json"}

// plan is everything that is known of a build before it starts. What is not needed is zero.
type plan struct {
	pkg    Package
	files  []source
	key    string // "" = nothing to install
	node   runtimes.Runtime
	npm    runtimes.Runtime
	pip    runtimes.Runtime
	locked bool // npm finds a lockfile
	root   packageJSON
}

func (p *plan) wantsNPM() bool { return p.npm.Path != "" }
func (p *plan) wantsPip() bool { return p.pip.Path != "" }

// declares is true of a package that ships a file npm or pip would read.
func declares(p Package) bool {
	return slices.ContainsFunc(p.Files, func(f manifest.File) bool { return f.Path == npmFile || f.Path == pipFile })
}

// plan reads the package and finds the tools it needs.
func (b *Builder) plan(ctx context.Context, p Package) (*plan, error) {
	pl := &plan{pkg: p}
	root, err := os.OpenRoot(p.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	files, err := decisive(root, p)
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
		pl.locked = pl.locked || slices.Contains(lockfiles, f.Path)
	}
	if err := b.tools(ctx, pl, root); err != nil {
		return nil, err
	}
	pl.key = b.key(pl)
	return pl, nil
}

// tools finds node and npm, or python and pip, where the package gives them something to do.
func (b *Builder) tools(ctx context.Context, pl *plan, root *os.Root) (err error) {
	if pl.ships(npmFile) {
		if pl.root, err = readPackageJSON(root); err != nil {
			return err
		}
		if err := pl.checkFolders(); err != nil {
			return err
		}
		if !pl.root.empty() {
			if pl.node, err = b.o.Runtimes.Find(ctx, "node"); err != nil {
				return err
			}
			if pl.npm, err = b.o.Runtimes.Find(ctx, "npm"); err != nil {
				return err
			}
		}
	}
	if pl.ships(pipFile) {
		text, err := root.ReadFile(pipFile)
		if err != nil {
			return err
		}
		if requires(string(text)) {
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
		if read[f.path] {
			p.files[i].rewrite = notEditable
		}
	}
}

func (p *plan) ships(path string) bool {
	return slices.ContainsFunc(p.files, func(s source) bool { return s.path == path })
}
