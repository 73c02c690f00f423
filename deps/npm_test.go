package deps

import (
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func greeter(version, text string) npmPackage {
	return npmPackage{
		map[string]any{"name": "greeter", "version": version, "bin": map[string]string{"greet": "greet.js"}, "main": "index.js"},
		map[string]string{"index.js": "module.exports = " + fmt.Sprintf("%q", text) + "\n", "greet.js": "#!/usr/bin/env node\nconsole.log(require('.'))\n"},
	}
}

// scripted is a package whose postinstall is this JavaScript.
func scripted(version, script string) npmPackage {
	return npmPackage{
		map[string]any{"name": "scripted", "version": version, "main": "index.js", "scripts": map[string]string{"postinstall": "node postinstall.js"}},
		map[string]string{"index.js": "", "postinstall.js": script},
	}
}

func depends(name, version string) string {
	return fmt.Sprintf(`{"name": "connector", "private": true, "dependencies": {%q: %q}}`, name, version)
}

func npmLab(t *testing.T, o Options, r *npmRegistry) *lab {
	t.Helper()
	return newLab(t, "npm", o, "npm_config_registry="+r.URL+"/")
}

func TestNPMWithLockfile(t *testing.T) {
	r := newNPMRegistry(t, greeter("1.0.0", "hello"), greeter("1.1.0", "newer"))
	l := npmLab(t, Options{}, r)
	files := map[string]string{
		"package.json": depends("greeter", "1.0.0"), "package-lock.json": r.lockfile(map[string]string{"greeter": "1.0.0"}), "index.js": "",
	}
	tree := l.must(files)
	if tree.PyDeps != "" || tree.NodeModules != filepath.Join(l.builder.o.Paths.Tree(tree.Key), "node_modules") || len(tree.Warnings) > 0 {
		t.Errorf("tree is %+v", tree)
	}
	out, err := exec.Command(tool(t, "node").Path, filepath.Join(tree.NodeModules, ".bin/greet")).CombinedOutput()
	if err != nil || string(out) != "hello\n" {
		t.Errorf("the locked version says %q, %v", out, err)
	}
	checkReadOnly(t, tree.Dir)
	if want := []string{"wait", "prepare", phaseNPM, phaseScripts, "check"}; !slices.Equal(l.phases(), want) {
		t.Errorf("phases %q, want %q", l.phases(), want)
	}
	nothingButTree(t, l, tree)

	// The second time nothing is asked, fetched or started.
	before := len(r.requests())
	l.events = nil
	again, err := l.ensure(files)
	if err != nil || again.Dir != tree.Dir || len(r.requests()) != before || len(l.events) > 0 {
		t.Errorf("the second time: %+v, %v, %q", again, err, l.events)
	}
}

// checkReadOnly checks that all of a tree is the daemon's and nobody may write it.
func checkReadOnly(t *testing.T, dir string) {
	t.Helper()
	for _, line := range listing(t, dir) {
		if !strings.HasSuffix(line, " d 555") && !strings.HasSuffix(line, " f 555") && !strings.HasSuffix(line, " f 444") && !strings.HasSuffix(line, " l") {
			t.Errorf("the tree has %s", line)
		}
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o555 {
		t.Errorf("the tree itself is %v, %v", info.Mode(), err)
	}
}

func nothingButTree(t *testing.T, l *lab, tree Tree) {
	t.Helper()
	entries, err := os.ReadDir(l.builder.o.Paths.Deps())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != "cache" && e.Name() != tree.Key {
			t.Errorf("%s is left beside the tree", e.Name())
		}
	}
}

func TestNPMWithoutLockfile(t *testing.T) {
	r := newNPMRegistry(t, greeter("1.0.0", "hello"))
	l := npmLab(t, Options{}, r)
	tree := l.must(map[string]string{"package.json": depends("greeter", "^1.0.0")})
	if text := read(t, filepath.Join(tree.NodeModules, "greeter/index.js")); !strings.Contains(text, "hello") {
		t.Errorf("installed %q", text)
	}
	if len(tree.Warnings) != 1 || !strings.Contains(tree.Warnings[0], "no package-lock.json") {
		t.Errorf("warnings %q", tree.Warnings)
	}
}

func TestDriftedLockfile(t *testing.T) {
	r := newNPMRegistry(t, greeter("1.0.0", "old"), greeter("2.0.0", "new"))
	l := npmLab(t, Options{}, r)
	tree := l.must(map[string]string{
		"package.json": depends("greeter", "^2.0.0"), "package-lock.json": r.lockfile(map[string]string{"greeter": "1.0.0"}),
	})
	if text := read(t, filepath.Join(tree.NodeModules, "greeter/index.js")); !strings.Contains(text, "new") {
		t.Errorf("installed %q", text)
	}
	if len(tree.Warnings) != 1 || !strings.Contains(tree.Warnings[0], "does not fit package.json") || !strings.Contains(tree.Warnings[0], "greeter@") {
		t.Errorf("warnings %q", tree.Warnings)
	}
	// The warning is the tree's, not the moment's.
	if other, err := l.another(Options{}).Ensure(t.Context(), connector(t, l.state, map[string]string{
		"package.json": depends("greeter", "^2.0.0"), "package-lock.json": r.lockfile(map[string]string{"greeter": "1.0.0"}),
	}), nil); err != nil || !slices.Equal(other.Warnings, tree.Warnings) {
		t.Errorf("another daemon gets %+v, %v", other, err)
	}
}

// Bytes that do not match are not to be had in another way.
func TestTamperedTarball(t *testing.T) {
	r := newNPMRegistry(t, greeter("1.0.0", "hello"))
	r.tamper = true
	l := newLab(t, "npm", Options{}, "npm_config_registry="+r.URL+"/", "npm_config_fetch_retries=0") // npm asks again, and waits before
	e := l.refuse(map[string]string{
		"package.json": depends("greeter", "1.0.0"), "package-lock.json": r.lockfile(map[string]string{"greeter": "1.0.0"}),
	}, "npm fetch", "npm ci failed", "digest in the lockfile", "EINTEGRITY")
	if e.Unreachable {
		t.Error("the registry is called unreachable")
	}
}

func TestUnreachableRegistry(t *testing.T) {
	r := newNPMRegistry(t)
	lock := newNPMRegistry(t, greeter("1.0.0", "hello")).lockfile(map[string]string{"greeter": "1.0.0"})
	r.Close()
	l := newLab(t, "npm", Options{}, "npm_config_registry="+r.URL+"/", "npm_config_fetch_retries=0")
	e := l.refuse(map[string]string{"package.json": depends("greeter", "1.0.0"), "package-lock.json": lock}, "cannot be reached from this machine", "npm fetch")
	if !e.Unreachable || !strings.HasPrefix(r.URL, "http://"+e.Registry) {
		t.Errorf("unreachable: %v, registry %q", e.Unreachable, e.Registry)
	}
	// A lock file that cannot be used for lack of a network is no reason to go without it.
	if strings.Contains(l.printed(), "does not fit") {
		t.Error("fell back to npm install")
	}
}

func TestUnknownPackage(t *testing.T) {
	l := npmLab(t, Options{}, newNPMRegistry(t))
	e := l.refuse(map[string]string{"package.json": depends("nobody-has-this", "1.0.0")}, "does not have nobody-has-this@1.0.0")
	if e.Unreachable {
		t.Error("the registry is called unreachable")
	}
}

// What a package's script can see and do: no credential, no network, no cache, no home, no uid of the daemon's.
const probeScript = `
const fs = require("fs"), http = require("http"), found = {}
found.env = Object.entries(process.env).filter(([k, v]) => (k + v).includes("s3cret") || k === "DAEMON").map(([k]) => k)
found.uid = process.getuid()
found.cache = fs.existsSync("/root/.cache")
found.state = fs.existsSync(%q)
try { fs.writeFileSync("/usr/planted", ""); found.usr = true } catch { found.usr = false }
http.get(%q, () => done(true)).on("error", () => done(false))
function done(network) { found.network = network; fs.writeFileSync("found.json", JSON.stringify(found)); process.exit() }
`

func TestScriptsAreConfined(t *testing.T) {
	r := newNPMRegistry(t)
	l := newLab(t, "npm", Options{}, "npm_config_registry="+r.URL+"/", "npm_config_"+strings.TrimPrefix(r.URL, "http:")+"/:_authToken=s3cret", "DAEMON=1")
	r.publish(t, scripted("1.0.0", fmt.Sprintf(probeScript, l.state, r.URL)))
	tree := l.must(map[string]string{"package.json": depends("scripted", "1.0.0"), "package-lock.json": r.lockfile(map[string]string{"scripted": "1.0.0"})})
	want := fmt.Sprintf(`{"env":[],"uid":%d,"cache":false,"state":false,"usr":false,"network":false}`, uidOfBuilds("demo"))
	if got := read(t, filepath.Join(tree.NodeModules, "scripted/found.json")); got != want {
		t.Errorf("a script found %s, want %s", got, want)
	}
	// The fetch had the token; the messages did not.
	authorized := slices.ContainsFunc(r.asked, func(q *http.Request) bool { return q.Header.Get("Authorization") == "Bearer s3cret" })
	if !authorized || strings.Contains(l.printed(), "s3cret") {
		t.Errorf("the registry was sent the token: %v; somebody saw it: %v", authorized, strings.Contains(l.printed(), "s3cret"))
	}
}

func uidOfBuilds(connector string) int {
	if asRoot() {
		return DefaultUID + placeOf(connector)
	}
	return os.Getuid()
}

func TestScriptsWithNetwork(t *testing.T) {
	r := newNPMRegistry(t)
	l := npmLab(t, Options{ScriptsNetwork: true}, r)
	r.publish(t, scripted("1.0.0", fmt.Sprintf(probeScript, l.state, r.URL)))
	tree := l.must(map[string]string{"package.json": depends("scripted", "1.0.0")})
	if got := read(t, filepath.Join(tree.NodeModules, "scripted/found.json")); !strings.Contains(got, `"network":true`) || !strings.Contains(got, `"cache":false`) {
		t.Errorf("a script found %s", got)
	}
}

func TestFailingScript(t *testing.T) {
	r := newNPMRegistry(t, scripted("1.0.0", "console.error('cannot download the binary'); process.exit(3)"))
	l := npmLab(t, Options{}, r)
	l.refuse(map[string]string{"package.json": depends("scripted", "1.0.0")}, "npm scripts", "cannot download the binary", "deps.scripts_network = true")
}

// The connector's own scripts run as well: some patch what they depend on.
func TestOwnScripts(t *testing.T) {
	r := newNPMRegistry(t, greeter("1.0.0", "hello"))
	l := npmLab(t, Options{}, r)
	tree := l.must(map[string]string{
		"package.json": `{"dependencies": {"greeter": "1.0.0"}, "scripts": {"postinstall": "node patch.js"}}`,
		"patch.js":     `require("fs").writeFileSync("node_modules/greeter/index.js", "module.exports = 'patched'")`,
	})
	if got := read(t, filepath.Join(tree.NodeModules, "greeter/index.js")); !strings.Contains(got, "patched") {
		t.Errorf("installed %q", got)
	}
}

// A script that leaves links out of the tree, or puts one in the tree's place.
func TestPlantedLinks(t *testing.T) {
	r := newNPMRegistry(t, scripted("1.0.0", `require("fs").symlinkSync("/etc/shadow", "shadow")`),
		scripted("2.0.0", `const fs = require("fs"); fs.renameSync("/root/.skald/mcp/demo/node_modules", "/root/.skald/mcp/demo/moved"); fs.symlinkSync("/etc", "/root/.skald/mcp/demo/node_modules")`))
	l := npmLab(t, Options{}, r)
	tree := l.must(map[string]string{"package.json": depends("scripted", "1.0.0")})
	if _, err := os.Lstat(filepath.Join(tree.NodeModules, "scripted/shadow")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the link is there: %v", err)
	}
	if !strings.Contains(strings.Join(tree.Warnings, " "), "node_modules/scripted/shadow") {
		t.Errorf("warnings %q", tree.Warnings)
	}
	_, err := l.ensure(map[string]string{"package.json": depends("scripted", "2.0.0")})
	if err == nil {
		t.Error("a link was taken for node_modules")
	}
}

// The ceiling ends all that the install started, whatever it did to get away.
func TestCeiling(t *testing.T) {
	const marker = "majordomo-deps-test-grandchild"
	r := newNPMRegistry(t, scripted("1.0.0", `
const { spawn } = require("child_process")
const grandchild = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", "`+marker+`"], { detached: true, stdio: "inherit" })
grandchild.on("spawn", () => console.log("the grandchild lives"))
setInterval(() => {}, 1000)`))
	l := npmLab(t, Options{}, r)
	p := connector(t, l.state, map[string]string{"package.json": depends("scripted", "1.0.0"), "package-lock.json": r.lockfile(map[string]string{"scripted": "1.0.0"})})
	lived := 0
	count := func(e Event) {
		if strings.Contains(e.Line, "the grandchild lives") {
			lived = alive(marker)
		}
	}
	// On a busy machine the first limits are over before the script has begun.
	var e *InstallError
	for limit := 3 * time.Second; lived == 0; limit *= 2 {
		b := l.another(Options{Timeout: limit}, "npm_config_registry="+r.URL+"/")
		tree, err := b.Ensure(t.Context(), p, count)
		if !errors.As(err, &e) || !e.TimedOut || !strings.Contains(err.Error(), fmt.Sprintf("stopped at the limit of %v", limit)) {
			t.Fatalf("got %+v, %v", tree, err)
		}
		nothingLeft(t, b)
	}
	if e.Phase != phaseScripts || !slices.Contains(e.Tail, "the grandchild lives") || alive(marker) != 0 {
		t.Errorf("%v; survivors: %d", e, alive(marker))
	}
}

// A try that is cut off leaves what it fetched to the next one.
func TestCacheSurvivesTheCeiling(t *testing.T) {
	r := newNPMRegistry(t, greeter("1.0.0", "hello"), scripted("1.0.0", ""))
	l := npmLab(t, Options{}, r)
	l.must(map[string]string{"package.json": depends("greeter", "1.0.0"), "package-lock.json": r.lockfile(map[string]string{"greeter": "1.0.0"})})
	both := map[string]string{"greeter": "1.0.0", "scripted": "1.0.0"}
	p := connector(t, l.state, map[string]string{
		"package.json": `{"dependencies": {"greeter": "1.0.0", "scripted": "1.0.0"}}`, "package-lock.json": r.lockfile(both),
	})
	hold := make(chan struct{})
	r.mu.Lock()
	r.hold = hold
	r.mu.Unlock()
	var e *InstallError
	hasty := l.another(Options{Timeout: 3 * time.Second}, "npm_config_registry="+r.URL+"/")
	if tree, err := hasty.Ensure(t.Context(), p, nil); !errors.As(err, &e) || !e.TimedOut {
		t.Fatalf("got %+v, %v", tree, err)
	}
	close(hold)
	if _, err := l.builder.Ensure(t.Context(), p, nil); err != nil {
		t.Fatal(err)
	}
	if n := r.requests()["/greeter/-/greeter-1.0.0.tgz"]; n != 1 {
		t.Errorf("the tarball was asked for %d times", n)
	}
}

// A version that is newer than what the cache knows of the package.
func TestNewerThanTheCache(t *testing.T) {
	r := newNPMRegistry(t, greeter("1.0.0", "hello"))
	l := npmLab(t, Options{}, r)
	l.must(map[string]string{"package.json": depends("greeter", "1.0.0")})
	r.publish(t, greeter("2.0.0", "new"))
	tree := l.must(map[string]string{"package.json": depends("greeter", "2.0.0")})
	if got := read(t, filepath.Join(tree.NodeModules, "greeter/index.js")); !strings.Contains(got, "new") {
		t.Errorf("installed %q", got)
	}
}

func TestTwoDaemonsBuildOnce(t *testing.T) {
	r := newNPMRegistry(t, greeter("1.0.0", "hello"))
	l := npmLab(t, Options{}, r)
	p := connector(t, l.state, map[string]string{"package.json": depends("greeter", "1.0.0"), "package-lock.json": r.lockfile(map[string]string{"greeter": "1.0.0"})})
	other := l.another(Options{}, "npm_config_registry="+r.URL+"/")
	var both sync.WaitGroup
	trees := make([]Tree, 4)
	for i, b := range []*Builder{l.builder, other, l.builder, other} {
		both.Go(func() {
			var err error
			if trees[i], err = b.Ensure(t.Context(), p, nil); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	for _, tree := range trees {
		if tree.Key == "" || tree.Key != trees[0].Key {
			t.Errorf("trees %q", trees)
		}
	}
	if n := r.requests()["/greeter/-/greeter-1.0.0.tgz"]; n != 1 {
		t.Errorf("the tarball was fetched %d times", n)
	}
}

// npm installs what asks for another node all the same, and so do we, but not in silence.
func TestEngineMismatch(t *testing.T) {
	p := greeter("1.0.0", "hello")
	p.manifest["engines"] = map[string]string{"node": ">=99"}
	r := newNPMRegistry(t, p)
	l := npmLab(t, Options{}, r)
	tree := l.must(map[string]string{"package.json": depends("greeter", "1.0.0")})
	if !strings.Contains(strings.Join(tree.Warnings, " "), "greeter@1.0.0 asks for { node: '>=99' }, and this host has node") {
		t.Errorf("warnings %q", tree.Warnings)
	}
}

// A registry whose certificate an authority of the household's has signed, which npm is configured for outside.
func TestPrivateAuthority(t *testing.T) {
	r := startNPMRegistry(t, (*httptest.Server).StartTLS, greeter("1.0.0", "hello"))
	ca := write(t, filepath.Join(t.TempDir(), "ca.pem"), certificate(r.Server))
	l := newLab(t, "npm", Options{}, "npm_config_registry="+r.URL+"/", "npm_config_fetch_retries=0")
	files := map[string]string{"package.json": depends("greeter", "1.0.0")}
	if tree, err := l.ensure(files); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("without the authority: %+v, %v", tree, err)
	}
	l.builder = l.another(Options{}, "npm_config_registry="+r.URL+"/", "npm_config_cafile="+ca)
	l.must(files)
}

func certificate(s *httptest.Server) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}))
}

// A registry that only the proxy finds, with a password for the proxy that scripts do not see.
func TestProxy(t *testing.T) {
	r := newNPMRegistry(t)
	r.base = "http://registry.invalid"
	r.publish(t, scripted("1.0.0", `require("fs").writeFileSync("env", JSON.stringify(process.env))`))
	l := newLab(t, "npm", Options{ScriptsNetwork: true}, "npm_config_registry=http://registry.invalid/", "http_proxy="+strings.Replace(r.URL, "//", "//u:s3cret@", 1))
	tree := l.must(map[string]string{"package.json": depends("scripted", "1.0.0")})
	if env := read(t, filepath.Join(tree.NodeModules, "scripted/env")); strings.Contains(env, "s3cret") {
		t.Errorf("a script saw %s", env)
	}
}
