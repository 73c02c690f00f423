package process

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"majordomo/configs/manifest"
	"majordomo/deps"
	"majordomo/deps/delivery"
	"majordomo/mcpclient/mcptest"
)

// Where nothing can be mounted a connector works just as well, and what it does to
// what it runs is gone at its next start; what it keeps is not.
func TestCopies(t *testing.T) {
	p := newPlaceBy(t, delivery.Copy)
	plan := p.plan("notes", map[string]string{"server.py": "print('x')", "pkg/helper.py": "original", "icon.png": "not for it"})
	p.tree(&plan, true, true)
	show := "cat server.py pkg/helper.py node_modules/x/index.js .pydeps/helper_from_tree.py; cat auth/session 2>/dev/null; ls -A"
	clean := p.sh(plan, show)
	if !strings.HasPrefix(clean, "print('x')originalmodule.exports = 7VALUE = 7") || strings.Contains(clean, "icon.png") {
		t.Errorf("it sees %q", clean)
	}
	p.sh(plan, "mkdir auth && echo key >auth/session")
	kept := p.sh(plan, show)
	for _, attack := range []string{
		"rm -f server.py; echo evil >server.py", "mv server.py old-server.py", "rm -f server.py; ln -s /etc/passwd server.py",
		"rm -f server.py; mkdir server.py", "rm -f server.py; mkfifo server.py", "chmod u+w server.py; echo evil >server.py",
		"echo evil >>pkg/helper.py", "rm -rf pkg/helper.py; cp server.py pkg/helper.py", "mv pkg gone", "mv pkg gone; ln -s /etc pkg",
		"mv node_modules nm; mkdir node_modules; cp -r nm/x node_modules", "mv node_modules nm; ln -s nm node_modules",
		"mv node_modules nm; cp -r nm node_modules; touch node_modules/more", "touch node_modules/evil; chmod u+w node_modules; touch node_modules/evil",
		"echo evil >node_modules/x/index.js", "mv .pydeps x; mkdir .pydeps; echo VALUE=8 >.pydeps/helper_from_tree.py",
		"rm -rf node_modules; mkdir -p node_modules/a/b/c && chmod 0 node_modules/a",
	} {
		p.try(plan, shell(attack)) // it may fail: all the better
		if got := p.sh(plan, "chmod -R u+w nm x >/dev/null 2>&1; rm -rf old-server.py gone nm x *.moved-* >/dev/null 2>&1;"+show); got != kept {
			t.Errorf("after %q it sees\n%s\nwant\n%s", attack, got, kept)
		}
	}
	if left, err := os.ReadDir(p.paths.Copies()); err != nil || len(left) > 0 {
		t.Errorf("half copies are left: %v (%v)", left, err)
	}
}

// Two members have a copy each: what one does to its own, the other never sees, and the shared tree neither.
func TestCopiesAreApart(t *testing.T) {
	p := newPlaceBy(t, delivery.Copy)
	ann := p.plan("notes", map[string]string{"server.py": "print('x')"})
	p.tree(&ann, true, false)
	bob := ann
	bob.Member, bob.UID = "bob", ann.UID*2
	show := "cat server.py; find node_modules -type f | xargs cat"
	before := p.sh(bob, show)
	p.try(ann, shell("chmod -R u+w .; echo evil >node_modules/x/index.js; echo evil >server.py; rm -rf node_modules server.py"))
	if got := p.sh(bob, show); got != before {
		t.Errorf("bob sees %q", got)
	}
	for path, want := range map[string]string{ann.Tree.NodeModules + "/x/index.js": "module.exports = 7", ann.Package.Dir + "/server.py": "print('x')"} {
		if data, err := os.ReadFile(path); err != nil || string(data) != want {
			t.Errorf("%s holds %q (%v)", path, data, err)
		}
	}
}

// What a package no longer has is gone from the copies, and so are all of them when they can be mounted again, or when the
// connector leaves.
func TestStaleCopiesGo(t *testing.T) {
	p := newPlaceBy(t, delivery.Copy)
	plan := p.plan("notes", map[string]string{"server.py": "one", "old.py": "old"})
	p.tree(&plan, true, true)
	p.sh(plan, "echo mine >data")
	next := plan
	next.Package.Release.Files = []manifest.File{{Path: "server.py"}}
	next.Tree.PyDeps = ""
	if got := p.sh(next, "ls -A | grep -v lock"); got != ".pydeps\ndata\nnode_modules\nserver.py" {
		t.Errorf("after an update it sees %q", got)
	}
	dir := p.paths.ConnectorDir("ann", "notes")
	q := newPlaceBy(t, delivery.Bind)
	q.paths, q.o.Paths, q.o.Sandbox = p.paths, p.paths, p.host
	if got := q.sh(next, "cat data server.py node_modules/x/index.js"); got != "mine\nonemodule.exports = 7" {
		t.Errorf("mounted, it sees %q", got)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "server.py")); err != nil || len(data) > 0 {
		t.Errorf("beneath the mount there is %q (%v)", data, err)
	}
	p.sh(next, "true")
	if err := p.Leave("ann", "notes"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"data": true, "server.py": false, "node_modules": false, "../.copied-notes": false} {
		if _, err := os.Lstat(filepath.Join(dir, name)); errors.Is(err, fs.ErrNotExist) == want {
			t.Errorf("%s is there: %v", name, !want)
		}
	}
	if err := p.Leave("bob", "never-started"); err != nil {
		t.Error(err)
	}
}

// The connector's own data under a name that a later release ships is moved aside.
func TestOwnDataIsNotOverwritten(t *testing.T) {
	p := newPlaceBy(t, delivery.Copy)
	plan := p.plan("notes", map[string]string{"server.py": "one"})
	p.sh(plan, "echo mine >data.json; mkdir node_modules; echo mine >node_modules/x")
	next := p.plan("notes", map[string]string{"server.py": "one", "data.json": "shipped"})
	p.tree(&next, true, false)
	if got := p.sh(next, "cat data.json data.json.moved-* node_modules.moved-*/x"); got != "shippedmine\nmine" {
		t.Errorf("it sees %q", got)
	}
}

// An unchanged copy is left where it is.
func TestCopiesStay(t *testing.T) {
	p := newPlaceBy(t, delivery.Copy)
	plan := p.plan("notes", map[string]string{"server.py": "one"})
	p.tree(&plan, true, false)
	inode := "stat -c '%i %n' server.py node_modules node_modules/x/index.js"
	if first, second := p.sh(plan, inode), p.sh(plan, inode); first != second {
		t.Errorf("first\n%s\nthen\n%s", first, second)
	}
	plan.Tree = deps.Tree{}
	if got := p.sh(plan, "ls; ls .pydeps"); got != "server.py" {
		t.Errorf("without a tree it sees %q", got)
	}
}

// The line from an activation to an answer where nothing is mounted: in a sandbox all the same, and without any.
func TestActivateWithCopies(t *testing.T) {
	for name, c := range map[string]struct {
		driver string
		way    delivery.Way
	}{"in a sandbox": {"native", delivery.Copy}, "unconfined": {"none", ""}} {
		t.Run(name, func(t *testing.T) {
			h := newHouseWith(t, c.driver, c.way)
			for id, r := range map[string]mcptest.Runtime{"snake": mcptest.Python, "knot": mcptest.Node} {
				h.install(id, r, "good", nil)
				h.mustActivate(id)
				h.works(id)
				dir := h.paths.ConnectorDir("ann", id)
				if data, err := os.ReadFile(filepath.Join(dir, "mode")); err != nil || string(data) != "good" {
					t.Errorf("%s: its directory has %q (%v)", id, data, err)
				}
				if err := h.Deactivate(t.Context(), "ann", id); err != nil {
					t.Fatal(err)
				}
				if all, err := os.ReadDir(dir); err != nil || len(all) != 1 || all[0].Name() != markName {
					t.Errorf("%s leaves %v (%v)", id, all, err)
				}
			}
		})
	}
}
