package install

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"majordomo/configs/manifest"
	"majordomo/deps/declared"
)

// Dependency is a package of npm or pip that an install would bring, change or
// no longer need. From and To are what the connector's files say: a version where
// they lock one, else a range; "" = it is not there. Nothing is resolved.
type Dependency struct {
	Tool   string `json:"tool"` // npm | pip
	Name   string `json:"name"`
	From   string `json:"from"`
	To     string `json:"to"`
	Direct bool   `json:"direct"` // the connector names it itself
}

var tools = []string{"npm", "pip"}

// compareDependencies fills in what changes in the dependencies. It downloads the few files
// that say so, where they are not those that are here. What they hold is the
// connector's own business: what cannot be read is a Note.
func (i *Installer) compareDependencies(ctx context.Context, p *Plan, have Package) error {
	for _, tool := range tools {
		next, err := i.texts(ctx, p, have, tool)
		if err != nil {
			return err
		}
		old := textsOf(have, tool)
		if len(next)+len(old) == 0 || sameTexts(old, next) {
			continue
		}
		from, errOld := wanted(tool, old)
		to, errNext := wanted(tool, next)
		if err := cmp.Or(errNext, errOld); err != nil {
			p.Notes = append(p.Notes, fmt.Sprintf("what %s will install is not known: its files cannot be read: %v", tool, err))
			continue
		}
		p.Dependencies = append(p.Dependencies, differing(tool, from, to)...)
	}
	return nil
}

// texts are the release's files for a tool, downloaded where they changed.
func (i *Installer) texts(ctx context.Context, p *Plan, have Package, tool string) (map[string][]byte, error) {
	texts := map[string][]byte{}
	for _, name := range declared.Files(tool) {
		f, ok := p.offer.Release.File(name)
		if !ok {
			continue
		}
		if was, had := have.Release.File(name); had && was.SHA256 == f.SHA256 {
			if text, err := os.ReadFile(filepath.Join(have.Dir, name)); err == nil {
				texts[name] = text
				continue
			}
		}
		var b bytes.Buffer
		if err := i.feed.Download(ctx, p.offer.Release, f, &b); err != nil {
			return nil, err
		}
		texts[name] = b.Bytes()
	}
	return texts, nil
}

// textsOf are those of what is installed; what is not there counts as not asked for.
func textsOf(have Package, tool string) map[string][]byte {
	texts := map[string][]byte{}
	for _, name := range declared.Files(tool) {
		if _, ok := have.Release.File(name); !ok {
			continue
		}
		if text, err := os.ReadFile(filepath.Join(have.Dir, name)); err == nil {
			texts[name] = text
		}
	}
	return texts
}

func sameTexts(a, b map[string][]byte) bool {
	for name, text := range a {
		if other, ok := b[name]; !ok || !bytes.Equal(text, other) {
			return false
		}
	}
	return len(a) == len(b)
}

// differing are the differences, what the connector names itself first, by name.
func differing(tool string, from, to wants) []Dependency {
	var out []Dependency
	for name, version := range to.versions {
		switch was, had := from.versions[name]; {
		case !had:
			out = append(out, Dependency{tool, name, "", written(version), to.direct[name]})
		case was != version:
			out = append(out, Dependency{tool, name, written(was), written(version), to.direct[name]})
		}
	}
	for name, version := range from.versions {
		if _, stays := to.versions[name]; !stays {
			out = append(out, Dependency{tool, name, written(version), "", from.direct[name]})
		}
	}
	slices.SortFunc(out, func(a, b Dependency) int {
		if a.Direct != b.Direct {
			return map[bool]int{true: -1, false: 1}[a.Direct]
		}
		return cmp.Compare(a.Name, b.Name)
	})
	return out
}

// written keeps a package without any version apart from one that is not there.
func written(version string) string { return cmp.Or(version, "any") }

// dependencyPaths are the release's files that make npm or pip install something.
func dependencyPaths(r manifest.Release) []string {
	paths := []string{}
	for _, f := range r.Files {
		if slices.ContainsFunc(tools, func(tool string) bool { return slices.Contains(declared.Files(tool), f.Path) }) {
			paths = append(paths, f.Path)
		}
	}
	return paths
}
