package deps

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// simple is a package with these fields in its package.json.
func simple(name string, fields map[string]any) npmPackage {
	manifest := map[string]any{"name": name, "version": "1.0.0", "main": "index.js"}
	maps.Copy(manifest, fields)
	return npmPackage{manifest, map[string]string{"index.js": "module.exports = 1\n"}}
}

// shop has packages with one difficulty each.
func shop(t *testing.T) *npmRegistry {
	r := newNPMRegistry(t, greeter("1.0.0", "hello"), greeter("2.0.0", "new"),
		simple("peers", map[string]any{"peerDependencies": map[string]string{"greeter": "^2.0.0"}}),
		simple("mac", map[string]any{"os": []string{"darwin"}}),
		simple("engine99", map[string]any{"engines": map[string]string{"node": ">=99"}}),
		simple("native", map[string]any{"optionalDependencies": map[string]string{"native-here": "1.0.0", "native-mac": "1.0.0"}}),
		simple("native-here", nil), simple("native-mac", map[string]any{"os": []string{"darwin"}}))
	r.fails = map[string]int{"status401": 401, "status403": 403, "status503": 503}
	return r
}

// The ways in which npm cannot install something, and what a person is told: which package or file, why, and what to do.
func TestNPMRefusals(t *testing.T) {
	for _, c := range []struct {
		name, manifest string
		files          map[string]string
		says           []string
	}{
		{"a version that is not there", depends("greeter", "9.0.0"), nil, []string{"does not have greeter@9.0.0", "correct package.json"}},
		{"a peer that excludes", `{"dependencies": {"greeter": "1.0.0", "peers": "1.0.0"}}`, nil,
			[]string{`peers@1.0.0 asks for greeter@"^2.0.0"`, "greeter@1.0.0", "legacy-peer-deps"}},
		{"another platform", depends("mac", "1.0.0"), nil, []string{"mac@1.0.0 is made for another platform", "darwin"}},
		{"another node, strictly", depends("engine99", "1.0.0"), map[string]string{".npmrc": "engine-strict=true"},
			[]string{"engine99@1.0.0 asks for another version of node", ">=99"}},
		{"another tool", `{"dependencies": {"greeter": "1.0.0"}, "devEngines": {"runtime": {"name": "bun", "onFail": "error"}}}`, nil,
			[]string{"devEngines", "bun"}},
		{"no version", depends("greeter", "not a version!!"), nil, []string{"package.json cannot be used", "not a version!!"}},
		{"no name", depends("Gre eter", "1.0.0"), nil, []string{"package.json cannot be used", "Gre eter"}},
		{"a version that is a number", `{"dependencies": {"greeter": 1}}`, nil, []string{"version is no text"}},
		{"another tool's version", depends("greeter", "workspace:*"), nil, []string{"workspace:*, which npm does not understand"}},
		{"an override of itself", `{"dependencies": {"greeter": "1.0.0"}, "overrides": {"greeter": "2.0.0"}}`, nil,
			[]string{"depends on greeter@1.0.0 and overrides it"}},
		{"a folder outside", depends("lib", "file:../lib"), nil, []string{"lib in file:../lib, which is not among the connector's files"}},
		{"a file that is missing", depends("lib", "./lib-1.0.0.tgz"), nil, []string{"lib in ./lib-1.0.0.tgz, which is not among"}},
		{"a repository over ssh", depends("greeter", "git+ssh://git@127.0.0.1/greeter.git"), nil, []string{"git repository ssh://git@127.0.0.1/greeter.git"}},
		{"credentials wanted", depends("status401", "1.0.0"), nil, []string{"wants credentials for http", "/status401"}},
		{"credentials refused", depends("status403", "1.0.0"), nil, []string{"refused http", "/status403"}},
		{"a registry out of order", depends("status503", "1.0.0"), nil, []string{"answers 503", "/status503", "try again later"}},
		{"a list", `[]`, nil, []string{"cannot read package.json: it is a list, want an object"}},
		{"dependencies that are a list", `{"dependencies": ["greeter"]}`, nil, []string{"package.json: what stands at /dependencies has the wrong type"}},
		{"a tool that is not installed", `{"dependencies": {"greeter": "1.0.0"}, "scripts": {"prepare": "husky install"}}`, nil,
			[]string{"npm scripts", "calls husky, which is not there", "move it to dependencies"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := shop(t)
			l := newLab(t, "npm", Options{}, "npm_config_registry="+r.URL+"/", "npm_config_fetch_retries=0")
			files := map[string]string{"package.json": c.manifest}
			maps.Copy(files, c.files)
			if e := l.refuse(files, c.says...); e.Hint == "" && e.Phase != "prepare" {
				t.Error("nothing is said about what to do")
			}
		})
	}
}

// What a lockfile may look like, and what of it is passed on to people. The installed version is always the locked one.
func TestLockfiles(t *testing.T) {
	none := func(lock string) map[string]string { return map[string]string{"package-lock.json": lock} }
	for _, c := range []struct {
		name   string
		files  func(lock string, r *npmRegistry) map[string]string
		warned string // "" = nothing is
	}{
		{"version 1", func(_ string, r *npmRegistry) map[string]string {
			return none(fmt.Sprintf(`{"lockfileVersion": 1, "requires": true, "dependencies": {"greeter": {"version": "1.0.0", "integrity": %q}}}`, r.integrity("greeter")))
		}, ""},
		{"version 2", func(lock string, _ *npmRegistry) map[string]string {
			return none(strings.Replace(lock, `"lockfileVersion": 3`, `"lockfileVersion": 2`, 1))
		}, ""},
		{"a shrinkwrap", func(lock string, _ *npmRegistry) map[string]string {
			return map[string]string{"npm-shrinkwrap.json": lock}
		}, ""},
		{"from another system", func(lock string, _ *npmRegistry) map[string]string {
			return none("\ufeff" + strings.ReplaceAll(lock, "\n", "\r\n"))
		}, ""},
		{"from a registry of the publisher's", func(lock string, _ *npmRegistry) map[string]string {
			return none(strings.Replace(lock, `"integrity"`, `"resolved": "http://npm.publisher.invalid/greeter/-/greeter-1.0.0.tgz", "integrity"`, 1))
		}, "takes files from npm.publisher.invalid"},
		{"of another tool", func(string, *npmRegistry) map[string]string { return map[string]string{"yarn.lock": "# yarn"} }, "npm does not read yarn.lock"},
		{"damaged", func(lock string, _ *npmRegistry) map[string]string { return none(lock[:len(lock)/2]) }, "package-lock.json is damaged"},
		{"with a conflict in it", func(lock string, _ *npmRegistry) map[string]string {
			return none("<<<<<<< HEAD\n" + lock + "\n=======\n{}\n>>>>>>> other\n")
		}, "package-lock.json is damaged"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := shop(t)
			l := newLab(t, "npm", Options{}, "npm_config_registry="+r.URL+"/", "npm_config_fetch_retries=0")
			files := c.files(r.lockfile(map[string]string{"greeter": "1.0.0"}), r)
			files["package.json"] = "\ufeff" + depends("greeter", "1.0.0")
			tree := l.must(files)
			if text := read(t, filepath.Join(tree.NodeModules, "greeter/index.js")); !strings.Contains(text, "hello") {
				t.Errorf("installed %q", text)
			}
			warned := strings.Join(tree.Warnings, "; ")
			if (c.warned == "") != (warned == "") || !strings.Contains(warned, c.warned) {
				t.Errorf("warned %q, want %q", warned, c.warned)
			}
		})
	}
}

// integrity is the digest of version 1.0.0.
func (r *npmRegistry) integrity(name string) string {
	return r.versions[name]["1.0.0"].(map[string]any)["dist"].(map[string]any)["integrity"].(string)
}

// A digest is kept when an address is not: other bytes from the configured registry are refused.
func TestForeignAddressKeepsTheDigest(t *testing.T) {
	r := shop(t)
	lock := strings.Replace(r.lockfile(map[string]string{"greeter": "1.0.0"}), `"integrity"`, `"resolved": "http://npm.publisher.invalid/greeter/-/greeter-1.0.0.tgz", "integrity"`, 1)
	r.tamper = true
	l := newLab(t, "npm", Options{}, "npm_config_registry="+r.URL+"/", "npm_config_fetch_retries=0")
	l.refuse(map[string]string{"package.json": depends("greeter", "1.0.0"), "package-lock.json": lock}, "greeter do not match the digest", "tell the publisher")
}

// A lockfile that was made with legacy-peer-deps says what was tested, and is followed.
func TestLockfileWithConflictingPeers(t *testing.T) {
	r := shop(t)
	l := npmLab(t, Options{}, r)
	lock := r.lockfileWith(t, map[string]string{"greeter": "1.0.0", "peers": "1.0.0"}, "peers", map[string]any{"peerDependencies": map[string]string{"greeter": "^2.0.0"}})
	tree := l.must(map[string]string{"package.json": `{"dependencies": {"greeter": "1.0.0", "peers": "1.0.0"}}`, "package-lock.json": lock})
	if text := read(t, filepath.Join(tree.NodeModules, "greeter/index.js")); !strings.Contains(text, "hello") {
		t.Errorf("installed %q", text)
	}
	if len(tree.Warnings) != 1 || !strings.Contains(tree.Warnings[0], "peers exclude each other") {
		t.Errorf("warnings %q", tree.Warnings)
	}
}

// A lockfile made where the part for this platform was left out: it is installed all the same, and named.
func TestLockfileWithoutThisPlatform(t *testing.T) {
	r := shop(t)
	l := npmLab(t, Options{}, r)
	lock := r.lockfileWith(t, map[string]string{"native": "1.0.0"}, "native", map[string]any{
		"optionalDependencies": map[string]string{"native-here": "1.0.0", "native-mac": "1.0.0"},
	})
	tree := l.must(map[string]string{"package.json": depends("native", "1.0.0"), "package-lock.json": lock})
	if _, err := os.Stat(filepath.Join(tree.NodeModules, "native-here/index.js")); err != nil {
		t.Error(err)
	}
	if len(tree.Warnings) != 1 || !strings.Contains(tree.Warnings[0], "native-here") {
		t.Errorf("warnings %q", tree.Warnings)
	}
}

// What was made for other platforms only is installed without a word by npm, and named by us; what has its part, or no parts
// by platform, is not.
func TestPartsForOtherPlatforms(t *testing.T) {
	parts := func(name string, optional ...string) npmPackage {
		versions := map[string]string{}
		for _, o := range optional {
			versions[o] = "1.0.0"
		}
		return simple(name, map[string]any{"optionalDependencies": versions})
	}
	mac := map[string]any{"os": []string{"darwin"}}
	r := newNPMRegistry(t, parts("elsewhere", "elsewhere-darwin-arm64", "elsewhere-win32-x64"), parts("here", "here-linux-x64", "here-darwin-x64"),
		parts("watcher", "fsevents"), simple("elsewhere-darwin-arm64", mac), simple("elsewhere-win32-x64", map[string]any{"os": []string{"win32"}}),
		simple("here-linux-x64", nil), simple("here-darwin-x64", mac), simple("fsevents", mac))
	l := npmLab(t, Options{}, r)
	tree := l.must(map[string]string{"package.json": `{"dependencies": {"elsewhere": "1.0.0", "here": "1.0.0", "watcher": "1.0.0"}}`})
	warned := strings.Join(tree.Warnings, "; ")
	if !strings.Contains(warned, "elsewhere has parts for other platforms") || !strings.Contains(warned, "elsewhere-win32-x64") || len(tree.Warnings) != 2 {
		t.Errorf("warnings %q", tree.Warnings)
	}
}

// lockfileWith is a lockfile with more fields for one package.
func (r *npmRegistry) lockfileWith(t *testing.T, dependencies map[string]string, name string, fields map[string]any) string {
	t.Helper()
	var lock map[string]any
	if err := json.Unmarshal([]byte(r.lockfile(dependencies)), &lock); err != nil {
		t.Fatal(err)
	}
	maps.Copy(lock["packages"].(map[string]any)["node_modules/"+name].(map[string]any), fields)
	data, err := json.Marshal(lock)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The connector's own folders, workspaces, and what a package brings along inside itself.
func TestFoldersAndBundles(t *testing.T) {
	bundle := simple("bundle", map[string]any{"dependencies": map[string]string{"inner": "1.0.0"}, "bundleDependencies": []string{"inner"}})
	bundle.files["node_modules/inner/package.json"] = `{"name": "inner", "version": "1.0.0"}`
	bundle.files["node_modules/inner/index.js"] = ""
	r := newNPMRegistry(t, greeter("1.0.0", "hello"), bundle)
	l := npmLab(t, Options{}, r)
	tree := l.must(map[string]string{
		"package.json":            `{"workspaces": ["parts/*"], "dependencies": {"lib": "file:./lib", "bundle": "1.0.0", "alias": "npm:greeter@1.0.0"}}`,
		"lib/package.json":        `{"name": "lib", "version": "1.0.0"}`,
		"lib/index.js":            "",
		"parts/part/package.json": `{"name": "part", "version": "1.0.0", "dependencies": {"greeter": "1.0.0"}}`,
		"parts/part/index.js":     "",
	})
	for link, want := range map[string]string{"lib": "../lib", "part": "../parts/part"} {
		if to, err := os.Readlink(filepath.Join(tree.NodeModules, link)); err != nil || to != want {
			t.Errorf("%s leads to %q, %v", link, to, err)
		}
	}
	for _, file := range []string{"greeter/index.js", "alias/index.js", "bundle/node_modules/inner/index.js"} {
		if _, err := os.Stat(filepath.Join(tree.NodeModules, file)); err != nil {
			t.Error(err)
		}
	}
	if len(tree.Warnings) != 1 {
		t.Errorf("warnings %q", tree.Warnings)
	}
}

// What an install script leaves running is gone when the install is, and the install does not wait for it.
func TestScriptLeavesAProcess(t *testing.T) {
	const marker = "majordomo-deps-test-left-behind"
	r := newNPMRegistry(t, scripted("1.0.0", `
const child = require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", "`+marker+`"], { detached: true, stdio: "inherit" })
child.unref()`))
	l := npmLab(t, Options{}, r)
	l.must(map[string]string{"package.json": depends("scripted", "1.0.0")})
	if !slices.Contains(l.phases(), phaseScripts) || alive(marker) != 0 {
		t.Errorf("phases %q, %d processes are left", l.phases(), alive(marker))
	}
}

// A home that is not there, or not the person's, is not npm's business in a build; and nothing is left in one.
func TestHomes(t *testing.T) {
	own, absent := t.TempDir(), filepath.Join(t.TempDir(), "absent")
	t.Cleanup(func() { // the cases are parallel
		if left, err := os.ReadDir(own); err != nil || len(left) > 0 {
			t.Errorf("%v were left in the home, %v", left, err)
		}
		if _, err := os.Stat(absent); err == nil {
			t.Error("the home that was not there is there now")
		}
	})
	for name, home := range map[string]string{"none": "", "root": "/", "absent": absent, "no directory": "/dev/null", "own": own} {
		t.Run(name, func(t *testing.T) {
			r := newNPMRegistry(t, greeter("1.0.0", "hello"))
			l := newLab(t, "npm", Options{}, "npm_config_registry="+r.URL+"/", "HOME="+home)
			l.must(map[string]string{"package.json": depends("greeter", "1.0.0")})
		})
	}
}
