package deps

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// stall has projects with one difficulty each.
func stall(t *testing.T) *pipIndex {
	x := newPipIndex(t)
	x.wheel(t, "greeter", "1.0", "text = 'one'\n")
	x.wheel(t, "greeter", "2.0", "text = 'two'\n")
	x.wheel(t, "other", "1.0", "")
	whole := wheelOf(t, "winonly", "1.0", "")
	x.publish("winonly-1.0-cp311-cp311-win_amd64.whl", whole)
	x.publish("cut-1.0-py3-none-any.whl", whole[:len(whole)/2])
	x.publish("liar-1.0-py3-none-any.whl", wheelOf(t, "liar", "3.0", ""))
	x.pages["future"] = `<a href="/files/future-1.0-py3-none-any.whl" data-requires-python="&gt;=3.99">future-1.0-py3-none-any.whl</a>`
	x.pages["yanked"] = `<a href="/files/yanked-1.0-py3-none-any.whl" data-yanked="broken">yanked-1.0-py3-none-any.whl</a>`
	x.fails = map[string]int{"status401": 401, "status403": 403, "status500": 500}
	return x
}

// The ways in which pip cannot install something, and what a person is told: which package or file, why, and what to do.
func TestPipRefusals(t *testing.T) {
	digest := fmt.Sprintf("greeter==1.0 --hash=sha256:%064d\n", 0)
	for _, c := range []struct {
		name, requirements string
		says               []string
	}{
		{"other bytes", digest, []string{"bytes of greeter==1.0 do not match the digest"}},
		{"a digest for some", "greeter==1.0 --hash=sha256:" + strings.Repeat("0", 64) + "\nother==1.0\n", []string{"digest"}},
		{"a version for some", "other\ngreeter==1.0 --hash=sha256:" + strings.Repeat("0", 64) + "\n", []string{"requirements.txt has digests", "other"}},
		{"another file that is missing", "-r more.txt\n", []string{"leads to more.txt, which is not among the connector's files"}},
		{"a file outside", "-r ../../more.txt\n", []string{"leads to ../../more.txt"}},
		{"a folder that is missing", "./lib\n", []string{"leads to ./lib"}},
		{"an index that does not answer", "--index-url http://127.0.0.1:9/simple\ngreeter\n",
			[]string{"pip fetch", "http://127.0.0.1:9/simple/greeter/ does not answer", "deps.registries"}},
		{"an index without TLS", "--index-url http://index.publisher.invalid/simple\ngreeter\n", []string{"index.publisher.invalid is asked without TLS"}},
		{"a file that is gone", "greeter @ {index}/gone/greeter-1.0-py3-none-any.whl\n", []string{"/gone/greeter-1.0-py3-none-any.whl cannot be had (404)"}},
		{"a repository that is gone", "greeter @ git+{index}/greeter.git\n", []string{"git repository http", "/greeter.git cannot be read"}},
		{"another encoding", "# caf\xe9\ngreeter\n", []string{"requirements.txt is not UTF-8"}},
		{"another Python", "future\n", []string{"another version of Python", ">=3.99"}},
		{"withdrawn", "yanked\n", []string{"no release fits yanked", "1.0", "withdrawn"}},
		{"another platform", "winonly\n", []string{"winonly is there for other platforms", "win_amd64"}},
		{"two versions", "greeter==1.0\ngreeter==2.0\n", []string{"greeter==1.0 and greeter==2.0, which exclude each other"}},
		{"no requirement", "other\ngreeter=1.0\n", []string{"line 2 of requirements.txt (greeter=1.0) is no requirement"}},
		{"no option", "--frobnicate\ngreeter\n", []string{"option --frobnicate"}},
		{"half a wheel", "cut\n", []string{"has for cut is damaged"}},
		{"another version inside", "liar\n", []string{"has for liar is damaged"}},
		{"credentials wanted", "status401\n", []string{"wants credentials for http", "/status401/"}},
		{"credentials refused", "status403\n", []string{"refused http", "/status403/"}},
		{"an index out of order", "status500\n", []string{"answers 500", "/status500/", "try again later"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := stall(t)
			l := newLab(t, "pip", Options{}, "PIP_INDEX_URL="+x.url(), "PIP_RETRIES=0")
			e := l.refuse(map[string]string{"requirements.txt": strings.ReplaceAll(c.requirements, "{index}", x.URL)}, c.says...)
			if e.Hint == "" {
				t.Error("nothing is said about what to do")
			}
		})
	}
}

// What a requirements.txt may look like. The installed version is always the one it names.
func TestRequirementsFiles(t *testing.T) {
	lib := map[string]string{}
	for name, text := range sourceOf(t, "lib", "1.0", "") {
		lib["lib/"+name] = text
	}
	wide := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune("greeter==1.0\r\n")) {
		wide = append(wide, byte(unit), byte(unit>>8))
	}
	for _, c := range []struct {
		name, requirements string
		files              map[string]string
		has                string // a module beside greeter
	}{
		{"from another system", "\ufeff# first\r\ngreeter==1.0 # one\r\n\r\n", nil, ""},
		{"in UTF-16", string(wide), nil, ""},
		{"in parts", "-r parts/more.txt\n", map[string]string{"parts/more.txt": "-c limits.txt\ngreeter\n", "parts/limits.txt": "greeter<2\n"}, ""},
		{"an address", "greeter @ {index}/files/greeter-1.0-py3-none-any.whl\n", nil, ""},
		{"an index that has nothing", "--extra-index-url {index}/elsewhere\ngreeter==1.0; python_version > '3'\nnothing; sys_platform == 'win32'\n", nil, ""},
		{"a folder to edit", "greeter==1.0\n-e ./lib\n", lib, "lib"},
		{"a folder to edit, in parts", "-r more.txt\n", with(lib, "more.txt", "greeter==1.0\n  --editable=./lib\n"), "lib"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := stall(t)
			l := pipLab(t, Options{}, x)
			files := with(c.files, "requirements.txt", strings.ReplaceAll(c.requirements, "{index}", x.URL))
			tree := l.must(files)
			if got := says(t, tree, "import greeter; print(greeter.text)"); got != "one" {
				t.Errorf("installed %q", got)
			}
			if c.has != "" {
				says(t, tree, "import "+c.has)
			}
			if len(tree.Warnings) > 0 {
				t.Errorf("warnings %q", tree.Warnings)
			}
		})
	}
}

func with(files map[string]string, name, text string) map[string]string {
	all := maps.Clone(files)
	if all == nil {
		all = map[string]string{}
	}
	all[name] = text
	return all
}

// What a build leaves running is gone when the install is.
func TestBuildLeavesAProcess(t *testing.T) {
	const marker = "majordomo-deps-test-built-and-left"
	x := newPipIndex(t)
	x.source(t, "forker", "1.0", "import subprocess, sys\n"+
		"subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1e6)', '"+marker+"'], start_new_session=True, stdout=-3, stderr=-3)")
	l := pipLab(t, Options{}, x)
	l.must(map[string]string{"requirements.txt": "forker\n"})
	if !slices.Contains(l.phases(), phasePipBuild) || alive(marker) != 0 {
		t.Errorf("phases %q, %d processes are left", l.phases(), alive(marker))
	}
}

// The log of pip is as long as an index wants; only what says why is taken from it, and no credential.
func TestPipLog(t *testing.T) {
	dir := t.TempDir()
	var log bytes.Buffer
	for i := range 10000 {
		fmt.Fprintf(&log, "2026-01-01T00:00:00,000   Skipping link: none of the wheel's tags (x) are compatible: http://a.test/other-%d-x.whl\n", i)
	}
	log.WriteString("2026-01-01T00:00:00,000 Could not fetch URL http://s3cret@a.test/: 401 Client Error: no for url: http://a.test/ - skipping\n")
	log.WriteString("2026-01-01T00:00:00,000   Skipping link: none of the wheel's tags (win) are compatible: http://a.test/A_b-1-win.whl\n")
	write(t, dir+"/"+pipLogName, log.String())
	j := &job{dir: dir}
	got := j.pipLog([]string{"s3cret"}, "a.B")
	if len(got) != 2 || !strings.HasPrefix(got[0], "Could not fetch URL http://***@a.test/") || !strings.Contains(got[1], "A_b") {
		t.Errorf("got %q", got)
	}
}
