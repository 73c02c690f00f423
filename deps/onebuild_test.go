package deps

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"majordomo/configs"
)

// Members who activate at the same time, callers who ask twice, and a daemon that comes later: one build, and after it no
// process at all.
func TestOneBuild(t *testing.T) {
	r := newNPMRegistry(t, greeter("1.0.0", "hello"))
	x := newPipIndex(t)
	x.wheel(t, "greeter", "1.0", "")
	for _, c := range []struct {
		tool  string
		files map[string]string
		steps int
		asked func() int
	}{
		{"npm", map[string]string{"package.json": depends("greeter", "1.0.0"), "package-lock.json": r.lockfile(map[string]string{"greeter": "1.0.0"})}, 2,
			func() int { return len(r.requests()) }},
		{"pip", map[string]string{"requirements.txt": "greeter==1.0\n"}, 1, func() int { return len(x.requests()) }},
	} {
		t.Run(c.tool, func(t *testing.T) {
			l := newLab(t, c.tool, Options{}, "npm_config_registry="+r.URL+"/", "PIP_INDEX_URL="+x.url())
			p := connector(t, l.state, c.files)
			seen := &recorder{Starter: l.host}
			l.builder.o.Sandbox = seen
			trees := make([]Tree, 6)
			var all sync.WaitGroup
			for i := range trees {
				all.Go(func() {
					var err error
					if trees[i], err = l.builder.Ensure(t.Context(), p, nil); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if len(seen.specs) != c.steps || trees[0].Key == "" || slices.ContainsFunc(trees, func(tree Tree) bool { return tree.Dir != trees[0].Dir }) {
				t.Errorf("%d steps for %+v", len(seen.specs), trees)
			}
			asked, before := c.asked(), describe(t, trees[0].Dir)
			later := l.another(Options{}, "npm_config_registry="+r.URL+"/", "PIP_INDEX_URL="+x.url())
			none := &recorder{Starter: l.host}
			later.o.Sandbox = none
			if err := later.Recover(t.Context()); err != nil {
				t.Fatal(err)
			}
			tree, err := later.Ensure(t.Context(), p, nil)
			if err != nil || tree.Dir != trees[0].Dir || len(none.specs) != 0 || c.asked() != asked || describe(t, tree.Dir) != before {
				t.Errorf("a later daemon started %d steps, asked %d times, got %+v, %v", len(none.specs), c.asked()-asked, tree, err)
			}
		})
	}
}

// describe is everything below dir with its bytes.
func describe(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	for _, line := range listing(t, dir) {
		all.WriteString(line)
		name, _, _ := strings.Cut(line, " ")
		if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil && name != receiptName && filepath.Ext(name) != ".pyc" {
			fmt.Fprintf(&all, " %x", sha256.Sum256(data))
		}
		all.WriteString("\n")
	}
	return all.String()
}

// What a connector leaves in its own directory, or in its member's files, changes nothing of the next install: that is made
// from the package.
func TestPlantedFilesChangeNothing(t *testing.T) {
	r := newNPMRegistry(t, greeter("1.0.0", "one"), greeter("2.0.0", "two"))
	x := newPipIndex(t)
	for _, version := range []string{"1.0", "2.0"} {
		x.wheel(t, "greeter", version, "text = "+version+"\n")
	}
	evil := newNPMRegistry(t, greeter("1.0.0", "evil"), greeter("2.0.0", "evil"))
	files := func(version string) map[string]string {
		return map[string]string{
			"package.json": depends("greeter", version+".0"), "package-lock.json": r.lockfile(map[string]string{"greeter": version + ".0"}),
			"requirements.txt": "greeter==" + version + "\n",
		}
	}
	var trees []string
	for _, plant := range []bool{false, true} {
		l := newLabBeside(t, "pip", Options{}, "npm_config_registry="+r.URL+"/", "PIP_INDEX_URL="+x.url())
		l.must(files("1.0"))
		if plant {
			paths := configs.Paths{State: l.state}
			for _, dir := range []string{paths.ConnectorDir("ann", "demo"), paths.Files("ann"), paths.Home("ann")} {
				for name, text := range map[string]string{
					".npmrc": "registry=" + evil.URL + "/\n", "package-lock.json": evil.lockfile(map[string]string{"greeter": "2.0.0"}), "package.json": depends("greeter", "1.0.0"),
					"requirements.txt": "evil", "pip.conf": "[global]\nindex-url=" + evil.URL, ".config/pip/pip.conf": "[global]\nindex-url=" + evil.URL, ".netrc": "machine x login y password z",
					"sitecustomize.py": "raise SystemExit(7)", "evil.pth": "import evil", ".pydeps/greeter.py": "evil", "node_modules/greeter/index.js": "evil",
					".npm/_cacache/index-v5/aa/bb/cc": "evil", ".cache/pip/http-v2/a/b": "evil", "node_modules/.package-lock.json": "{}", ".skald-install.lock": strings.Repeat("0", 64),
				} {
					write(t, filepath.Join(dir, name), text)
				}
			}
		}
		tree := l.must(files("2.0"))
		trees = append(trees, tree.Key+"\n"+describe(t, tree.Dir))
	}
	if trees[0] != trees[1] {
		t.Errorf("without what was planted:\n%s\nwith it:\n%s", trees[0], trees[1])
	}
	if len(evil.requests()) > 0 {
		t.Errorf("the planted registry was asked for %v", evil.requests())
	}
}

// Everything is fetched, by steps that have credentials, before the first foreign code runs: what that changes in the
// directory, no such step reads.
func TestFetchedBeforeForeignCodeRuns(t *testing.T) {
	r := newNPMRegistry(t, scripted("1.0.0", `const fs = require("fs"), top = "/root/.skald/mcp/demo/"
fs.writeFileSync(top + "requirements.txt", "--index-url http://127.0.0.1:1/\nevil"); fs.writeFileSync(top + "pip.py", "raise SystemExit(7)")`))
	x := newPipIndex(t)
	x.wheel(t, "greeter", "1.0", "")
	l := newLab(t, "pip", Options{}, "npm_config_registry="+r.URL+"/", "PIP_INDEX_URL="+x.url())
	tree := l.must(map[string]string{"package.json": depends("scripted", "1.0.0"), "requirements.txt": "greeter"})
	if _, err := os.Stat(filepath.Join(tree.PyDeps, "greeter.py")); err != nil {
		t.Error(err)
	}
	if want := []string{"wait", "prepare", phaseNPM, phasePip, phaseScripts, "check"}; !slices.Equal(l.phases(), want) {
		t.Errorf("phases %q, want %q", l.phases(), want)
	}
}
