package rules

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

const (
	maxFile     = 400 // lines
	maxFunction = 70  // lines
)

func TestFileSize(t *testing.T) {
	for _, s := range sources(t) {
		if s.lines > maxFile {
			t.Errorf("%s has %d lines, more than %d: give one of its ideas a file of its own", s.name, s.lines, maxFile)
		}
	}
}

func TestFunctionSize(t *testing.T) {
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			lines := s.fset.Position(f.End()).Line - s.fset.Position(f.Pos()).Line + 1
			if lines > maxFunction {
				t.Errorf("%s: %s has %d lines, more than %d", s.name, f.Name.Name, lines, maxFunction)
			}
		}
	}
}

func TestPackageComment(t *testing.T) {
	for _, p := range packages(t) {
		has := slices.ContainsFunc(p.sources, func(s source) bool { return s.file.Doc != nil })
		if !has {
			t.Errorf("package %s has no package comment: say what it is for, what it must never do, who owns its goroutines", p.path)
		}
	}
}

// Names that say nothing attract everything.
var forbidden = []string{"util", "utils", "common", "core", "types", "models", "helpers"}

func TestPackageNames(t *testing.T) {
	for _, p := range packages(t) {
		for _, part := range strings.Split(p.path, "/") {
			if slices.Contains(forbidden, part) {
				t.Errorf("package %s: %q says nothing of what is in it", p.path, part)
			}
		}
	}
}

// No package state but errors and tables, and nothing that runs before main.
func TestNoInit(t *testing.T) {
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "init" && f.Recv == nil {
				t.Errorf("%s: func init runs before anybody asked", s.name)
			}
		}
	}
}
