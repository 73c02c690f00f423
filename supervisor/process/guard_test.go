package process

import (
	"strings"
	"testing"

	"majordomo/deps/delivery"
)

// What a connector writes beside its code is not run at its next start: not in the
// place of a module of the language, of one that it ships, of one that it depends on.
func TestPlantedPython(t *testing.T) {
	for _, way := range []delivery.Way{delivery.Bind, delivery.Copy} {
		t.Run(string(way), func(t *testing.T) {
			p := newPlaceBy(t, way)
			plan := p.plan("notes", map[string]string{
				"server.py":   "import json, helper, pkg.deep, loose.part, helper_from_tree, os\nprint(json.dumps(helper.WORD), pkg.deep.WORD, loose.part.WORD, helper_from_tree.VALUE)\n",
				"verify.py":   "import helper\nprint(helper.WORD)\n",
				"helper.py":   "WORD = 'shipped'\n",
				"pkg/deep.py": "WORD = 'deep'\n", "pkg/__init__.py": "", "loose/part.py": "WORD = 'loose'\n",
			})
			p.tree(&plan, false, true)
			start := "python3 " + plan.Dir() + "/server.py && python3 verify.py && python3 -c 'import helper; print(helper.WORD)' && python3 -m helper"
			want := "\"shipped\" deep loose 7\nshipped\nshipped"
			if got := p.sh(plan, start); got != want {
				t.Fatalf("untouched it says %q", got)
			}
			for _, plant := range []string{
				"echo 'print(\"evil\")' >json.py", "mkdir json; echo 'print(\"evil\")' >json/__init__.py", "mkdir helper; echo 'print(\"evil\")' >helper/__init__.py",
				"echo 'print(\"evil\")' >sitecustomize.py; cp sitecustomize.py usercustomize.py; echo 'import evil' >evil.pth",
				"echo 'print(\"evil\")' >x.py; ln -s x.py json.py", "echo 'print(\"evil\")' >loose/os.py; echo 'print(\"evil\")' >pkg/helper.py",
				"echo 'print(\"evil\")' >json.py; python3 -m compileall -q -b json.py; rm json.py", "cp /usr/lib/python3*/lib-dynload/_json*.so json.so 2>/dev/null || touch json.so",
				"mkdir -p __pycache__; echo 'print(\"evil\")' >x.py; python3 -c 'import os, py_compile, sys, importlib.util as u; s = os.stat(\"helper.py\"); " +
					"os.utime(\"x.py\", (s.st_mtime, s.st_mtime)); py_compile.compile(\"x.py\", u.cache_from_source(os.getcwd() + \"/helper.py\"), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)'",
				"mkdir -p .local/lib/python3.11/site-packages /root/.local/lib/python3.11/site-packages; echo 'import evil' >/root/.local/lib/python3.11/site-packages/x.pth",
			} {
				p.sh(plan, plant)
				if got := p.sh(plan, start); got != want {
					t.Errorf("after %s it says %q", plant, got)
				}
				p.try(plan, shell("rm -rf json* evil* x.py sitecustomize.py usercustomize.py helper __pycache__ loose/os.py pkg/helper.py"))
			}
			if got := p.sh(plan, "ls -A | grep -c __pycache__ || true"); got != "0" {
				t.Error("python keeps caches beside the code")
			}
		})
	}
}

// A package without dependencies does not get any from its own directory.
func TestPlantedDependencies(t *testing.T) {
	p := newPlace(t)
	python := p.plan("snake", map[string]string{"server.py": "try:\n  import orjson\nexcept ImportError:\n  print('none')\n"})
	for _, name := range []string{"orjson", "json", "encodings", "site"} {
		p.write(p.paths.ConnectorDir("ann", "snake")+"/.pydeps/"+name+".py", "print('evil')")
	}
	if got := p.sh(python, "python3 server.py"); got != "none" {
		t.Errorf("python found %q", got)
	}
	if got := p.sh(python, "mv .pydeps x 2>&1 || mkdir .pydeps/x 2>&1 || true"); !strings.Contains(got, "Read-only") {
		t.Errorf(".pydeps can be changed: %q", got)
	}
	node := p.plan("knot", map[string]string{
		"index.js": "try { require('orjson') } catch { console.log('none') }", "index.mjs": "try { await import('orjson') } catch { console.log('none') }",
	})
	node.Package.Release.Command = "node"
	p.sh(node, "true")
	p.write(p.paths.ConnectorDir("ann", "knot")+"/node_modules/orjson/index.js", "console.log('evil')")
	for _, entry := range []string{"index.js", "index.mjs"} {
		if got := p.sh(node, "node "+entry); got != "none" {
			t.Errorf("node found %q", got)
		}
	}
}

// Its own data stays its data, also where it looks like code.
func TestOwnDataStays(t *testing.T) {
	p := newPlace(t)
	plan := p.plan("knot", map[string]string{"index.js": "console.log(require('./state.json').word, require('./helper').word)", "helper.js": "exports.word = 'shipped'"})
	plan.Package.Release.Command = "node"
	p.sh(plan, `echo '{"word": "mine"}' >state.json; echo 'exports.word = "evil"' >snippet.js; echo 'print(1)' >snippet.py; cp snippet.js helper`)
	if got := p.sh(plan, "node index.js"); got != "mine shipped" {
		t.Errorf("it says %q", got)
	}
	if got := p.sh(plan, "cat snippet.js snippet.py"); got != "exports.word = \"evil\"\nprint(1)" {
		t.Errorf("it kept %q", got)
	}
	for _, plant := range []string{"rm -f helper; mkdir helper; cp snippet.js helper/index.js", "rm -rf helper; mkdir helper; cp snippet.js helper/x; echo '{\"main\": \"x\"}' >helper/package.json"} {
		p.sh(plan, plant)
		if got := p.sh(plan, "node index.js"); got != "mine shipped" {
			t.Errorf("after %s it says %q", plant, got)
		}
	}
	p.sh(plan, "cp snippet.js extra.js")
	if out, err := p.try(plan, shell(`node -e 'require("./extra")'`)); err != nil || !strings.Contains(string(out.Stderr), "is not part of the package") {
		t.Errorf("%s%s (%v)", out.Stdout, out.Stderr, err)
	}
}
