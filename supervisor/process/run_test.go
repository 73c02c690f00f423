package process

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"majordomo/sandbox/egress"
	"majordomo/supervisor"
)

// What a connector finds: its directory as the guide says, its values, its
// package and tree, and nothing else of the house.
func TestWhatAConnectorSees(t *testing.T) {
	p := newPlace(t)
	plan := p.plan("notes", map[string]string{"server.py": "print('x')", "pkg/helper.py": "", "connector.json": "{}", "icon.png": ""})
	p.tree(&plan, true, true)
	t.Setenv("DAEMON_SECRET", "must not show")
	for i, got := range p.each(plan, []string{
		"pwd", "echo $HOME $LANG", `echo "$GREETING|$TOKEN"`, "echo $DAEMON_SECRET", "echo $PYTHONPATH", "echo $NODE_OPTIONS",
		"ls -A", "ls -A /root /root/.skald/mcp", "cat node_modules/x/index.js",
		"python3 -c 'import helper_from_tree; print(helper_from_tree.VALUE)'",
		"tr '\\0' '\\n' </proc/self/cmdline | grep -c s3cret",
	}) {
		want := []string{
			"/root/.skald/mcp/notes", "/root C.UTF-8", "hi there|s3cret-value", "", "/run/majordomo/python:/root/.skald/mcp/notes/.pydeps", "--max-old-space-size=358 --require \"/run/majordomo/node/guard.cjs\"",
			".pydeps\n.skald-install.lock\nnode_modules\npkg\nserver.py", "/root:\n.skald\n\n/root/.skald/mcp:\nnotes", "module.exports = 7",
			"7",
			"0",
		}[i]
		if got != want {
			t.Errorf("line %d printed %q, want %q", i, got, want)
		}
	}
}

// Whatever locale the daemon was started in, a connector prints what is no ASCII.
func TestPrintsAnyText(t *testing.T) {
	for name, value := range map[string]string{"LANG": "C", "LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"} {
		t.Setenv(name, value)
	}
	p := newPlace(t)
	const text = "Zoë 🚀 имя"
	for command, program := range map[string][]string{
		"python3": {"-c", "import sys; print('" + text + "'); print('" + text + "', file=sys.stderr)"},
		"node":    {"-e", "console.log('" + text + "'); console.error('" + text + "')"},
	} {
		plan := p.plan("notes", nil)
		plan.Package.Release.Command = command
		out, err := p.try(plan, supervisor.Command{Interpreter: program})
		if err != nil || strings.TrimSpace(string(out.Stdout)) != text || strings.TrimSpace(string(out.Stderr)) != text {
			t.Errorf("%s printed %q and %q (%v)", command, out.Stdout, out.Stderr, err)
		}
	}
}

// It can keep things beside its code, change nothing that runs, and what it
// keeps is there the next time.
func TestWhatAConnectorKeeps(t *testing.T) {
	p := newPlace(t)
	plan := p.plan("notes", map[string]string{"server.py": "print('x')", "pkg/helper.py": "original"})
	p.tree(&plan, true, true)
	p.sh(plan, "mkdir auth && echo key >auth/session && echo more >>notes.txt && cat auth/session")
	attempts := []string{
		"echo evil >server.py", "rm -f server.py", "mv server.py x", "echo evil >pkg/helper.py", "rm -f pkg/helper.py",
		"touch node_modules/evil", "rm -r node_modules/x", "mv node_modules nm", "echo evil >.pydeps/helper_from_tree.py",
	}
	for i, got := range p.each(plan, attempts) {
		if got != "refused" {
			t.Errorf("%s: not refused: %q", attempts[i], got)
		}
	}
	if got := p.sh(plan, "cat auth/session notes.txt pkg/helper.py"); got != "key\nmore\noriginal" {
		t.Errorf("the next time there is %q", got)
	}
}

// A connector leaves traps in its directory for the daemon, which is root: what
// they point to stays as it was, and the next start works.
func TestHostileDirectory(t *testing.T) {
	p := newPlace(t)
	victim := filepath.Join(t.TempDir(), "victim")
	p.write(victim, "untouched")
	plan := p.plan("notes", map[string]string{"server.py": "original"})
	p.sh(plan, "true")
	dir := p.paths.ConnectorDir("ann", "notes")
	for name, trap := range map[string]func(path string) error{
		"server.py":               func(path string) error { return os.Symlink(victim, path) },
		"new.py":                  func(path string) error { return os.Symlink(victim, path) },
		"pkg":                     func(path string) error { return os.Symlink(filepath.Dir(victim), path) },
		"dir.py":                  func(path string) error { return os.MkdirAll(filepath.Join(path, "kept"), 0o777) },
		"node_modules":            func(path string) error { return os.WriteFile(path, []byte("a file"), 0o666) },
		".pydeps":                 func(path string) error { return os.Symlink("/etc", path) },
		".skald-install.lock":     func(path string) error { return os.Symlink(victim, path) },
		".skald-install.lock.new": func(path string) error { return os.Symlink(victim, path) },
	} {
		path := filepath.Join(dir, name)
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if err := trap(path); err != nil {
			t.Fatal(err)
		}
	}
	next := p.plan("notes", map[string]string{"server.py": "original", "new.py": "new", "pkg/helper.py": "helper", "dir.py": "dir"})
	p.tree(&next, true, true)
	if got := p.sh(next, "cat server.py new.py pkg/helper.py dir.py node_modules/x/index.js; ls -d *.moved-*/kept"); !strings.HasPrefix(got, "originalnewhelperdirmodule.exports = 7dir.py.moved-") {
		t.Errorf("the connector sees %q", got)
	}
	if data, err := os.ReadFile(victim); err != nil || string(data) != "untouched" {
		t.Errorf("the victim holds %q (%v)", data, err)
	}
	if all, err := filepath.Glob(filepath.Join(filepath.Dir(victim), "*")); err != nil || len(all) != 1 {
		t.Errorf("beside the victim: %v (%v)", all, err)
	}
}

// A home that leads elsewhere is refused, and nothing is made there.
func TestHostileHome(t *testing.T) {
	p := newPlace(t)
	elsewhere := t.TempDir()
	p.write(filepath.Join(p.paths.Home("ann"), "keep"), "")
	if err := os.Symlink(elsewhere, filepath.Join(p.paths.Home("ann"), ".skald")); err != nil {
		t.Fatal(err)
	}
	if _, err := p.try(p.plan("notes", nil), supervisor.Command{Shell: "true"}); err == nil {
		t.Error("it started")
	}
	if all, err := os.ReadDir(elsewhere); err != nil || len(all) != 0 {
		t.Errorf("made elsewhere: %v (%v)", all, err)
	}
}

// The member's files: only where declared, shared by all that declare it,
// whatever their umask.
func TestFiles(t *testing.T) {
	p := newPlace(t)
	without := p.plan("notes", nil)
	one, two := p.plan("files", nil), p.plan("files-too", nil)
	one.Package.Release.Mounts, two.Package.Release.Mounts = []string{"files"}, []string{"files"}
	if os.Geteuid() == 0 && one.UID == two.UID {
		t.Fatal("the test needs two uids")
	}
	p.sh(one, "umask 077; echo a >/root/files/a && mkdir /root/files/d")
	p.sh(two, "echo b >>/root/files/a && echo c >/root/files/d/c && cat /root/files/a && rm /root/files/a")
	p.sh(one, "echo d >>/root/files/d/c && rm -r /root/files/d")
	if got := p.sh(without, "ls /root"); got != "" {
		t.Errorf("undeclared, it sees %q", got)
	}
}

// Two members, two connectors: none sees anything of another.
func TestHomesAreApart(t *testing.T) {
	p := newPlace(t)
	ann := p.plan("notes", nil)
	bob := p.plan("notes-too", nil)
	bob.Member, bob.Name = "bob", "notes"
	p.sh(ann, "echo private >mine")
	if got := p.sh(bob, "ls -A | grep -v -e lock -e .pydeps; find /root /tmp /dev/shm -name mine 2>/dev/null; ls -d "+p.paths.State+" 2>/dev/null; true"); got != "" {
		t.Errorf("bob sees %q", got)
	}
	for _, path := range []string{p.paths.Homes(), p.paths.Home("ann"), p.paths.ConnectorDir("ann", "notes")} {
		fi, err := os.Stat(path)
		if err != nil || fi.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v (%v)", path, fi.Mode(), err)
		}
	}
}

// A command that does not end is ended with everything it started, and says so.
func TestRunIsBounded(t *testing.T) {
	p := newPlace(t)
	plan := p.plan("notes", nil)
	p.sh(plan, "true") // finds the interpreter, which is not what is measured
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	_, err := p.Run(ctx, plan, supervisor.Command{Shell: "setsid sleep 600 & sleep 600"})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// Output beyond the limit is read and dropped; the command is not held up.
func TestRunKeepsABeginning(t *testing.T) {
	p := newPlace(t)
	out, err := p.try(p.plan("notes", nil), supervisor.Command{Interpreter: []string{"-c", `import sys
sys.stdout.write("o" * 1000000); sys.stderr.write("e" * 1000000); sys.exit(3)`}})
	if err != nil || len(out.Stdout) != maxOutput || len(out.Stderr) != maxOutput || out.Exit.Code != 3 {
		t.Errorf("got %d and %d bytes, %+v (%v)", len(out.Stdout), len(out.Stderr), out.Exit, err)
	}
}

// What the plan lets out is what its sandbox lets out, of the connector and of its check alike.
func TestEgressOfThePlan(t *testing.T) {
	p := newPlace(t)
	for _, policy := range []egress.Policy{{}, {Mode: egress.Open}, {Mode: egress.List, Hosts: []string{"api.test:443"}}, {Mode: egress.None}} {
		plan := p.plan("notes", map[string]string{"server.py": ""})
		plan.Egress = policy
		spec, _, err := p.prepare(t.Context(), plan)
		if err != nil {
			t.Fatal(err)
		}
		if string(spec.Network) != string(cmp.Or(policy.Mode, egress.Open)) || !slices.Equal(spec.Hosts, policy.Hosts) {
			t.Errorf("%+v became %q %v", policy, spec.Network, spec.Hosts)
		}
		if served := strings.Contains(p.sh(plan, "cat /etc/resolv.conf"), "nameserver"); served != (policy.Mode != egress.None) {
			t.Errorf("%+v: a name server: %v", policy, served)
		}
	}
}
