package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "majordomo/"

// source is one Go file of the product, tests left out.
type source struct {
	name  string
	file  *ast.File
	fset  *token.FileSet
	lines int
}

// pkg is what the rules need to know of a package.
type pkg struct {
	path    string
	sources []source
	imports []string
}

// packages reads every package of the module.
func packages(t *testing.T) []pkg {
	t.Helper()
	byPath := map[string]*pkg{}
	for _, s := range sources(t) {
		dir := filepath.ToSlash(filepath.Dir(s.name))
		p := byPath[dir]
		if p == nil {
			p = &pkg{path: dir}
			byPath[dir] = p
		}
		p.sources = append(p.sources, s)
		p.imports = append(p.imports, ownImports(s.file)...)
	}
	var all []pkg
	for _, p := range byPath {
		all = append(all, *p)
	}
	slices.SortFunc(all, func(a, b pkg) int { return strings.Compare(a.path, b.path) })
	return all
}

// sources parses every Go file of the product below the root of the module.
func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	walk(t, func(path string) {
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			all = append(all, parse(t, path))
		}
	})
	return all
}

const root = "../.."

// walk calls f with every file of the tree, by its path below the root of the module.
func walk(t *testing.T, f func(path string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && skipped(d.Name()) {
			return cmpSkip(err)
		}
		rel, err := filepath.Rel(root, path)
		if err == nil && !d.IsDir() {
			f(rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func skipped(dir string) bool {
	return dir == ".git" || dir == "testdata" || dir == "bin" || dir == "node_modules" || dir == ".cache"
}

func cmpSkip(err error) error {
	if err != nil {
		return err
	}
	return fs.SkipDir
}

func parse(t *testing.T, name string) source {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, filepath.Join(root, name), nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return source{name: name, file: file, fset: fset, lines: fset.File(file.FileStart).LineCount()}
}

func ownImports(file *ast.File) []string {
	var own []string
	for _, spec := range file.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		if rest, ok := strings.CutPrefix(path, module); ok {
			own = append(own, rest)
		}
	}
	return own
}
