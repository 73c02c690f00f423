package runtimes

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Finder finds runtimes and remembers them until their files change. The zero value searches like this process would.
// Safe for concurrent use; two first questions at once may both be asked.
type Finder struct {
	// Path is searched after the system's directories; "" = the PATH of this process. Entries that are not absolute are
	// skipped.
	Path string
	// Env is what a version manager sees while it is asked; nil = the environment of this process.
	Env []string

	// Inside, when not nil, runs a program where connectors run and returns what it prints. Runtimes are those that are there, such
	// as in an image, and have no Prefixes; they do not change as long as the Finder lives, and Path and Env do not count.
	Inside func(ctx context.Context, argv []string) (string, error)

	system  []string // instead of systemDirs, for tests
	homeDir string   // instead of the home of this user, for tests

	mu    sync.Mutex
	found map[string]remembered // by name
}

// Find returns the runtime called name: node, npm, python3, python, pip or sh. What was found before is returned after
// a look at its files, in microseconds; otherwise interpreters are started, and each has half a minute to answer. A
// runtime that is not there, or too old, is a *MissingError; that is asked anew each time, so that installing it helps
// at once.
func (f *Finder) Find(ctx context.Context, name string) (Runtime, error) {
	if r, ok := f.remembered(name); ok {
		return r, nil
	}
	r, evidence, err := f.ask(ctx, name)
	if ctx.Err() != nil {
		return Runtime{}, ctx.Err() // not that it is missing
	}
	if err != nil {
		return Runtime{}, err
	}
	if f.Inside != nil {
		evidence = nil // there is nothing to look at: an image does not change
	}
	if len(evidence) > 0 || f.Inside != nil {
		f.remember(name, r, evidence)
	}
	return r, nil
}

// ask returns the runtime and the files that would change with it; with none, it is not remembered.
func (f *Finder) ask(ctx context.Context, name string) (Runtime, []string, error) {
	switch name {
	case "node":
		return f.node(ctx)
	case "npm":
		return f.npm(ctx)
	case "python3", "python":
		return f.python(ctx, name)
	case "pip":
		return f.pip(ctx)
	case "sh":
		return Runtime{Name: "sh", Path: "/bin/sh"}, []string{"/bin/sh"}, nil
	}
	return Runtime{}, nil, fmt.Errorf("cannot find runtime %q: only node, npm, python3, python, pip and sh are known", name)
}

// candidates are the programs with this name, system first and version managers last, each once.
func (f *Finder) candidates(ctx context.Context, name string) []string {
	if f.Inside != nil {
		return f.candidatesInside(ctx, name)
	}
	var all []string
	for _, dir := range slices.Concat(f.systemDirs(), filepath.SplitList(f.path()), f.managedDirs(name)) {
		file := filepath.Join(dir, name)
		if filepath.IsAbs(dir) && executable(file) && !slices.Contains(all, file) {
			all = append(all, file)
		}
	}
	return all
}

func executable(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

func (f *Finder) path() string {
	if f.Path != "" {
		return f.Path
	}
	return os.Getenv("PATH")
}

// environ leaves out what would make an interpreter run somebody's code before it answers.
func (f *Finder) environ() []string {
	env := f.Env
	if env == nil {
		env = os.Environ()
	}
	return slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		return strings.HasPrefix(v, "NODE_OPTIONS=") || strings.HasPrefix(v, "PYTHON")
	})
}

// systemDirs come first: what the system brings is shown to every sandbox anyway, and needs nothing of a home.
func (f *Finder) systemDirs() []string {
	if f.system != nil {
		return f.system
	}
	return []string{"/usr/bin", "/usr/local/bin"}
}
