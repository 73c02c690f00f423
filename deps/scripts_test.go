package deps

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"majordomo/configs"
)

func TestScriptsDenied(t *testing.T) {
	r := newNPMRegistry(t, scripted("1.0.0", "require('fs').writeFileSync('ran', '')"))
	l := npmLab(t, Options{Scripts: configs.Scripts{Deny: true}}, r)
	tree := l.must(map[string]string{"package.json": depends("scripted", "1.0.0"), "package-lock.json": r.lockfile(map[string]string{"scripted": "1.0.0"})})
	if _, err := os.Stat(filepath.Join(tree.NodeModules, "scripted/ran")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the script ran: %v", err)
	}
	if len(tree.Warnings) != 1 || !strings.Contains(tree.Warnings[0], "not run, as configured: scripted") {
		t.Errorf("warnings %q", tree.Warnings)
	}
}

// marking is a package whose postinstall leaves a file, with the dependencies given.
func marking(name string, dependencies map[string]string) npmPackage {
	return npmPackage{
		map[string]any{
			"name": name, "version": "1.0.0", "main": "index.js", "dependencies": dependencies,
			"scripts": map[string]string{"postinstall": "node postinstall.js"},
		},
		map[string]string{"index.js": "", "postinstall.js": "require('fs').writeFileSync('ran', '')"},
	}
}

func ran(t *testing.T, tree Tree, place string) bool {
	t.Helper()
	if _, err := os.Stat(filepath.Join(tree.NodeModules, place)); err != nil {
		t.Fatal(err)
	}
	_, err := os.Stat(filepath.Join(tree.NodeModules, place, "ran"))
	return !errors.Is(err, fs.ErrNotExist)
}

// Only the scripts of what is listed run: not those of what it depends on, not of what took its name, not the connector's own.
func TestScriptsOfSome(t *testing.T) {
	r := newNPMRegistry(t, marking("listed", map[string]string{"beneath": "1.0.0"}), marking("beneath", nil), marking("other", nil), marking("@scope/two", nil))
	l := npmLab(t, Options{Scripts: configs.Scripts{Only: []string{"listed", "renamed", "@scope/two"}}}, r)
	tree := l.must(map[string]string{"package.json": `{"dependencies": {"listed": "1.0.0", "@scope/two": "^1.0.0", "renamed": "npm:other@1.0.0"},
		"scripts": {"postinstall": "node own.js"}}`, "own.js": "require('fs').writeFileSync('node_modules/listed/own', '')"})
	for place, want := range map[string]bool{"listed": true, "@scope/two": true, "beneath": false, "renamed": false} {
		if got := ran(t, tree, place); got != want {
			t.Errorf("the script of %s ran: %v, want %v", place, got, want)
		}
	}
	if _, err := os.Stat(filepath.Join(tree.NodeModules, "listed/own")); err == nil {
		t.Error("the connector's own script ran")
	}
	warned := strings.Join(tree.Warnings, " ")
	if !strings.Contains(warned, "not run, as configured: beneath, renamed, the connector's own postinstall") {
		t.Errorf("warnings %q", warned)
	}
}

// A connector that is listed by its id runs its own scripts, and nobody else's.
func TestOwnScriptsByID(t *testing.T) {
	r := newNPMRegistry(t, marking("other", nil))
	l := npmLab(t, Options{Scripts: configs.Scripts{Only: []string{"demo"}}}, r)
	tree := l.must(map[string]string{
		"package.json": `{"name": "other", "dependencies": {"other": "1.0.0"}, "scripts": {"postinstall": "node own.js"}}`,
		"own.js":       "require('fs').writeFileSync('node_modules/other/own', '')",
	})
	if _, err := os.Stat(filepath.Join(tree.NodeModules, "other/own")); err != nil || ran(t, tree, "other") {
		t.Errorf("its own: %v; the other's ran: %v", err, ran(t, tree, "other"))
	}
}

func TestSourceBuildOfSome(t *testing.T) {
	x := newPipIndex(t)
	x.source(t, "greeter", "1.0", "")
	x.wheel(t, "other", "1.0", "")
	files := map[string]string{"requirements.txt": "greeter\nother\n"}
	pipLab(t, Options{Scripts: configs.Scripts{Only: []string{"greeter"}}}, x).must(files)
}

func TestSourceBuildOfOthers(t *testing.T) {
	x := newPipIndex(t)
	x.source(t, "greeter", "1.0", "")
	l := pipLab(t, Options{Scripts: configs.Scripts{Only: []string{"other"}}}, x)
	l.refuse(map[string]string{"requirements.txt": "greeter"}, "pip build", "no release of greeter fits this platform", "deps.scripts")
}

func TestOwnSourceUnlisted(t *testing.T) {
	l := pipLab(t, Options{Scripts: configs.Scripts{Only: []string{"greeter"}}}, newPipIndex(t))
	files := map[string]string{"requirements.txt": "./lib\n"}
	for name, text := range sourceOf(t, "greeter", "1.0", "") {
		files["lib/"+name] = text
	}
	l.refuse(files, "pip fetch", "deps.scripts does not allow")
}
