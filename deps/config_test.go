package deps

import (
	"encoding/base64"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"majordomo/sandbox/runtimes"
)

func base64Of(data []byte) string { return base64.StdEncoding.EncodeToString(data) }

// found is shared, so that each interpreter is asked once for all tests.
var found runtimes.Finder

func tool(t *testing.T, name string) runtimes.Runtime {
	t.Helper()
	r, err := found.Find(t.Context(), name)
	if err != nil {
		t.Fatal(err) // scripts/test brings what is missing
	}
	return r
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestNPMConfigurationFromOutside(t *testing.T) {
	npm := tool(t, "npm")
	home := t.TempDir()
	ca := write(t, filepath.Join(home, "ca.pem"), "")
	write(t, filepath.Join(home, ".npmrc"), strings.Join([]string{
		"; a comment", "registry=http://mirror.test:4873/", "@house:registry = http://house.test/npm/",
		"//mirror.test:4873/:_authToken=${TOKEN}", "cafile=" + ca, "init-author-name=anna", "script-shell=/bin/false",
	}, "\n"))
	b := New(Options{Environ: []string{
		"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TOKEN=s3cret", "NPM_CONFIG_FETCH_RETRIES=0", "npm_config_proxy=http://u:pw@proxy.test:3128",
		"no_proxy=house.test", "SECRET_OF_THE_DAEMON=x",
	}})
	s, err := b.npmOutside(t.Context(), npm)
	if err != nil {
		t.Fatal(err)
	}
	inside := "/root/.majordomo/0/ca.pem"
	wantEnv := []string{
		"no_proxy=house.test", "npm_config_@house:registry=http://house.test/npm/", "npm_config_cafile=" + inside,
		"npm_config_fetch_retries=0", "npm_config_registry=http://mirror.test:4873/",
	}
	env := slices.DeleteFunc(slices.Sorted(slices.Values(s.env)), func(v string) bool { return strings.Contains(v, "allow_all_scripts") })
	if !slices.Equal(env, wantEnv) {
		t.Errorf("environment\n%q, want\n%q", env, wantEnv)
	}
	// What holds a credential is kept apart, in a file for the step that fetches.
	want := []string{"//mirror.test:4873/:_authToken=\"s3cret\"\n", "proxy=\"http://u:pw@proxy.test:3128\"\n"}
	if len(s.secret) > 0 || !slices.Equal(s.logins, want) {
		t.Errorf("variables %q, logins %q, want %q", s.secret, s.logins, want)
	}
	if !slices.Contains(s.hide, "s3cret") || !slices.Contains(s.hide, "pw") {
		t.Errorf("hides %q", s.hide)
	}
	if len(s.mounts) != 1 || s.mounts[0].Target != inside || s.mounts[0].Writable {
		t.Errorf("mounts %+v", s.mounts)
	}
	hosts := slices.Compact(slices.Sorted(slices.Values(hostPorts(s.urls))))
	if want := []string{"house.test:80", "mirror.test:4873", "proxy.test:3128"}; !slices.Equal(hosts, want) {
		t.Errorf("may reach %q, want %q", hosts, want)
	}
}

func TestPipConfigurationFromOutside(t *testing.T) {
	pip := tool(t, "pip")
	home := t.TempDir()
	wheels := filepath.Join(home, "wheels")
	write(t, filepath.Join(wheels, "x"), "")
	write(t, filepath.Join(home, ".config/pip/pip.conf"), strings.Join([]string{
		"[global]", "index-url = http://global.test/simple", "user = yes", "find-links =", "    " + wheels, "    http://links.test/it's",
		"[install]", "index-url = http://u:t0ken@index.test:8080/simple", "prefix = /opt",
	}, "\n"))
	b := New(Options{Environ: []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "PIP_RETRIES=1", "PIP_TARGET=/tmp"}})
	s, err := b.pipOutside(t.Context(), pip)
	if err != nil {
		t.Fatal(err)
	}
	inside := "/root/.majordomo/0/wheels"
	env := slices.DeleteFunc(slices.Clone(s.env), func(v string) bool { return strings.HasPrefix(v, "PIP_CERT=") })
	if want := []string{"PIP_FIND_LINKS=" + inside + " http://links.test/it's", "PIP_RETRIES=1"}; !slices.Equal(env, want) {
		t.Errorf("environment %q, want %q", env, want)
	}
	if want := []string{"PIP_index_url=http://u:t0ken@index.test:8080/simple"}; !slices.Equal(s.secret, want) {
		t.Errorf("secrets %q, want %q", s.secret, want)
	}
	if want := "http://u:t0ken@index.test:8080/simple"; s.registry != want {
		t.Errorf("index %q, want %q", s.registry, want)
	}
	if hosts := hostPorts(s.urls); !slices.Contains(hosts, "index.test:8080") || !slices.Contains(hosts, "links.test:80") {
		t.Errorf("may reach %q", hosts)
	}
}

func TestNPMVariables(t *testing.T) {
	got := npmVariables([]string{
		"npm_config_fetch_timeout=5", "NPM_CONFIG_REGISTRY=http://a.test/", "npm_config_//a.test/:_authToken=T", "npm_config__auth=x",
		"npm_config_empty=", "npm_config_=x", "OTHER=x",
	})
	want := map[string]string{"fetch-timeout": "5", "registry": "http://a.test/", "//a.test/:_authToken": "T", "_auth": "x"}
	if !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A connector's own .npmrc must not choose programs, cut TLS short, move the cache, or put a credential into an address.
func TestKeptConfig(t *testing.T) {
	got := keptConfig("legacy-peer-deps=true\n git = ./evil \nstrict-ssl=false\n@a:registry=http://a.test\ncache=/x\n//a.test/:_authToken=${TOKEN}\n" +
		"@b:registry=http://b.test/${npm_config_//a.test/:_authToken}\n")
	if want := "legacy-peer-deps=true\n@a:registry=http://a.test\n"; got != want {
		t.Errorf("kept %q, want %q", got, want)
	}
}
