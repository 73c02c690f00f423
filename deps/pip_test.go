package deps

import (
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"majordomo/configs"
)

func pipLab(t *testing.T, o Options, x *pipIndex) *lab {
	return newLab(t, "pip", o, "PIP_INDEX_URL="+x.url())
}

// says runs a line of Python with the tree on its path.
func says(t *testing.T, tree Tree, line string) string {
	t.Helper()
	cmd := exec.Command(tool(t, "python3").Path, "-B", "-c", line)
	cmd.Env = []string{"PYTHONPATH=" + tree.PyDeps}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// pip leaves the old code where it installs over it; a second version must really land.
func TestSecondVersionLands(t *testing.T) {
	x := newPipIndex(t)
	x.wheel(t, "greeter", "1.0", "text = 'one'\n")
	x.wheel(t, "greeter", "2.0", "text = 'two'\n")
	l := pipLab(t, Options{}, x)
	for _, version := range []string{"1.0", "2.0"} {
		tree := l.must(map[string]string{"requirements.txt": "greeter==" + version + "\n", "server.py": ""})
		want := map[string]string{"1.0": "one 1.0", "2.0": "two 2.0"}[version]
		got := says(t, tree, "import greeter, importlib.metadata as m; print(greeter.text, m.version('greeter'))")
		if got != want || tree.NodeModules != "" || len(tree.Warnings) > 0 {
			t.Errorf("%+v says %q, want %q", tree, got, want)
		}
		checkReadOnly(t, tree.Dir)
		nothingElse := listing(t, tree.Dir)
		if !slices.ContainsFunc(nothingElse, func(s string) bool { return strings.HasSuffix(s, ".pyc f 444") }) {
			t.Error("nothing was compiled: a read-only tree cannot do it later")
		}
	}
	if want := []string{"wait", "prepare", phasePip, "check", "wait", "prepare", phasePip, "check"}; !slices.Equal(l.phases(), want) {
		t.Errorf("phases %q", l.phases())
	}
}

// A requirements file can have pip put variables into an address; a credential must not travel that way.
func TestCredentialsCannotBeNamed(t *testing.T) {
	x, foreign := newPipIndex(t), newPipIndex(t)
	x.wheel(t, "greeter", "1.0", "")
	private := strings.Replace(x.url(), "//", "//user:s3cret@", 1)
	proxy := "http://user:s3cret@127.0.0.1:1" // for names that nobody asks for
	o := Options{Registries: []string{strings.TrimPrefix(foreign.URL, "http://")}}
	l := newLab(t, "pip", o, "PIP_INDEX_URL="+private, "HTTPS_PROXY="+proxy)
	var lines strings.Builder
	for _, name := range []string{"PIP_INDEX_URL", "HTTPS_PROXY"} {
		fmt.Fprintf(&lines, "--extra-index-url %s/${%s}/\n", foreign.URL, name)
	}
	l.must(map[string]string{"requirements.txt": lines.String() + "greeter==1.0\n"})
	for _, q := range foreign.requests() {
		if strings.Contains(q.URL.Path, "s3cret") {
			t.Errorf("a foreign index was asked for %s", q.URL)
		}
	}
	if len(foreign.requests()) == 0 {
		t.Error("the foreign index was not asked at all")
	}
	if !slices.ContainsFunc(x.requests(), func(q *http.Request) bool { _, password, _ := q.BasicAuth(); return password == "s3cret" }) {
		t.Error("the own index was not shown the credential")
	}
}

// A connector's own modules must not get in pip's way.
func TestOwnModulesDoNotShadow(t *testing.T) {
	x := newPipIndex(t)
	x.wheel(t, "greeter", "1.0", "")
	l := pipLab(t, Options{}, x)
	l.must(map[string]string{"requirements.txt": "greeter", "json.py": "raise SystemExit('mine')", "pip.py": "raise SystemExit('mine')"})
}

// What has no wheel is built, by code that sees no credential and no cache that lasts.
func TestSourceBuild(t *testing.T) {
	x := newPipIndex(t)
	x.source(t, "greeter", "1.0", careful)
	l := newLab(t, "pip", Options{}, "PIP_INDEX_URL="+x.url(), "PIP_EXTRA_INDEX_URL="+strings.Replace(x.url(), "http://", "http://u:s3cret@", 1))
	tree := l.must(map[string]string{"requirements.txt": "greeter"})
	if got := says(t, tree, "import greeter; print(greeter.built)"); got != "True" {
		t.Errorf("built %q", got)
	}
	if !slices.Contains(l.phases(), phasePipBuild) || strings.Contains(l.printed(), "s3cret") {
		t.Errorf("phases %q", l.phases())
	}
}

// A source that comes with the connector is not left to the phase that has credentials and a cache.
func TestOwnSource(t *testing.T) {
	x := newPipIndex(t)
	l := newLab(t, "pip", Options{}, "PIP_INDEX_URL="+strings.Replace(x.url(), "http://", "http://u:s3cret@", 1))
	files := map[string]string{"requirements.txt": "./lib\n"}
	for name, text := range sourceOf(t, "greeter", "1.0", careful) {
		files["lib/"+name] = text
	}
	tree := l.must(files)
	if got := says(t, tree, "import greeter; print(greeter.built)"); got != "True" {
		t.Errorf("built %q", got)
	}
}

// careful ends a build that can see what it must not.
const careful = `assert not [k for k, v in os.environ.items() if "s3cret" in v], "a credential"
assert not os.path.exists("/root/.cache"), "a cache"`

func TestSourceBuildDenied(t *testing.T) {
	x := newPipIndex(t)
	x.source(t, "greeter", "1.0", "")
	l := pipLab(t, Options{Scripts: configs.Scripts{Deny: true}}, x)
	l.refuse(map[string]string{"requirements.txt": "greeter"}, "pip fetch", "no release of greeter fits this platform")
}

func TestFailingSourceBuild(t *testing.T) {
	x := newPipIndex(t)
	x.source(t, "greeter", "1.0", `raise RuntimeError("error: command 'gcc' failed: No such file or directory")`)
	l := pipLab(t, Options{}, x)
	l.refuse(map[string]string{"requirements.txt": "greeter"}, "pip build", "build-essential")
}

func TestNoSuchRelease(t *testing.T) {
	x := newPipIndex(t)
	x.wheel(t, "greeter", "1.0", "")
	l := pipLab(t, Options{}, x)
	e := l.refuse(map[string]string{"requirements.txt": "greeter==9.9"}, "no release fits greeter==9.9", "1.0")
	if e.Unreachable {
		t.Error("the index is called unreachable")
	}
}

func TestHashMismatch(t *testing.T) {
	x := newPipIndex(t)
	x.wheel(t, "greeter", "1.0", "")
	l := pipLab(t, Options{}, x)
	l.refuse(map[string]string{"requirements.txt": fmt.Sprintf("greeter==1.0 --hash=sha256:%064d\n", 0)}, "pip fetch", "digest in requirements.txt", "tell the publisher")
}

func TestUnreachableIndex(t *testing.T) {
	x := newPipIndex(t)
	x.Close()
	l := newLab(t, "pip", Options{}, "PIP_INDEX_URL="+x.url(), "PIP_RETRIES=1")
	e := l.refuse(map[string]string{"requirements.txt": "greeter"}, "pip fetch", "cannot be reached from this machine")
	if !e.Unreachable || slices.Contains(l.phases(), phasePipBuild) {
		t.Errorf("unreachable: %v, phases %q", e.Unreachable, l.phases())
	}
}

// Wheels in a directory of the host, and no index at all.
func TestFindLinks(t *testing.T) {
	wheels := t.TempDir()
	write(t, filepath.Join(wheels, "greeter-1.0-py3-none-any.whl"), string(wheelOf(t, "greeter", "1.0", "text = 'local'\n")))
	l := newLab(t, "pip", Options{}, "PIP_NO_INDEX=1", "PIP_FIND_LINKS="+wheels)
	tree := l.must(map[string]string{"requirements.txt": "greeter"})
	if got := says(t, tree, "import greeter; print(greeter.text)"); got != "local" {
		t.Errorf("installed %q", got)
	}
}

// Requirements that are all meant for other platforms are no failure.
func TestNothingForThisPlatform(t *testing.T) {
	l := pipLab(t, Options{}, newPipIndex(t))
	tree := l.must(map[string]string{"requirements.txt": "pywin32; sys_platform == 'win32'\n"})
	if tree.PyDeps == "" {
		t.Errorf("tree %+v", tree)
	}
}
