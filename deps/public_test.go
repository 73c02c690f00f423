package deps

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// Where strangers live: addresses that look public.
const (
	publicNet     = "93.184.215.0/24"
	publicAddress = "93.184.215.14"
)

// inOwnNetwork runs the test again where public addresses are this machine's, and reports whether this is that run. Nothing of it is
// seen by, or reaches, anything but the test.
func inOwnNetwork(t *testing.T) bool {
	t.Helper()
	const marker = "MAJORDOMO_TEST_OWN_NETWORK"
	if os.Getenv(marker) != "" {
		for _, line := range []string{"link set lo up", "route add local " + publicNet + " dev lo"} {
			if out, err := exec.Command("ip", strings.Fields(line)...).CombinedOutput(); err != nil {
				t.Fatalf("ip %s: %v: %s", line, err, out)
			}
		}
		return true
	}
	if _, err := exec.LookPath("ip"); err != nil || !asRoot() {
		t.Skipf("%s needs root and the Debian package iproute2 to make a network", t.Name())
	}
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), marker+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("--- PASS: "+t.Name())) {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// stranger is a host that nobody configured.
type stranger struct {
	at    string // host:port
	asked atomic.Int32
	files map[string][]byte // by path; set before the first request
}

func newStranger(t *testing.T) *stranger {
	t.Helper()
	l, err := net.Listen("tcp", publicAddress+":0")
	if err != nil {
		t.Fatal(err)
	}
	s := &stranger{at: l.Addr().String(), files: map[string][]byte{}}
	server := &http.Server{
		ConnState: func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				s.asked.Add(1)
			}
		},
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if data, ok := s.files[r.URL.Path]; ok {
				w.Write(data)
				return
			}
			http.NotFound(w, r)
		}),
	}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	return s
}

// An install reaches the registries that are configured here, and the files that dependencies are by their address. Whatever else
// the connector or what it depends on names is not reached, and the message says how to change that.
func TestBuildsReachRegistriesOnly(t *testing.T) {
	if !inOwnNetwork(t) {
		return
	}
	refused := []string{publicAddress + " was refused", "deps.registries"}
	for _, c := range []struct {
		name  string
		files func(r *npmRegistry, x *pipIndex, s *stranger) map[string]string
		o     func(s *stranger) Options
		says  []string // what the refusal says; nil = it succeeds
		warns string   // part of a warning; "" = there may be any
		asked bool     // the stranger was
	}{
		{name: "a source build", warns: "tried to reach " + publicAddress, files: func(_ *npmRegistry, x *pipIndex, s *stranger) map[string]string {
			x.source(t, "greeter", "1.0", dialling(s))
			return map[string]string{"requirements.txt": "greeter\n"}
		}},
		{name: "a source build that cannot do without", says: append(refused, "pip build"), files: func(_ *npmRegistry, x *pipIndex, s *stranger) map[string]string {
			x.source(t, "greeter", "1.0", dialling(s)+"    raise\n")
			return map[string]string{"requirements.txt": "greeter\n"}
		}},
		{name: "a lockfile with a registry of its own", warns: "takes files from " + publicAddress, files: func(r *npmRegistry, _ *pipIndex, s *stranger) map[string]string {
			return locked(r, "http://"+s.at+"/greeter/-/greeter-1.0.0.tgz")
		}},
		{name: "a lockfile with an address of its own", says: append(refused, "npm fetch"), files: func(r *npmRegistry, _ *pipIndex, s *stranger) map[string]string {
			return locked(r, "http://"+s.at+"/greeter.tgz")
		}},
		{name: "npm's configuration", says: append(refused, "npm fetch"), files: func(_ *npmRegistry, _ *pipIndex, s *stranger) map[string]string {
			return map[string]string{"package.json": depends("@own/greeter", "1.0.0"), ".npmrc": "@own:registry=http://" + s.at + "/\n"}
		}},
		{name: "files of the registry", says: append(refused, "npm fetch"), files: func(r *npmRegistry, _ *pipIndex, s *stranger) map[string]string {
			r.base = "http://" + s.at
			r.publish(t, greeter("3.0.0", "elsewhere"))
			return map[string]string{"package.json": depends("greeter", "3.0.0")}
		}},
		{name: "an index of its own", says: append(refused, "pip fetch"), files: func(_ *npmRegistry, _ *pipIndex, s *stranger) map[string]string {
			return map[string]string{"requirements.txt": "--index-url http://" + s.at + "/simple\n--trusted-host " + publicAddress + "\ngreeter\n"}
		}},
		{name: "files of the index", says: append(refused, "pip fetch"), files: func(_ *npmRegistry, x *pipIndex, s *stranger) map[string]string {
			const wheel = "greeter-1.0-py3-none-any.whl"
			x.pages["greeter"] = fmt.Sprintf(`<a href="http://%s/%s">%s</a>`, s.at, wheel, wheel)
			return map[string]string{"requirements.txt": "greeter\n"}
		}},
		{name: "files of the index, allowed", asked: true, files: func(_ *npmRegistry, x *pipIndex, s *stranger) map[string]string {
			const wheel = "greeter-1.0-py3-none-any.whl"
			x.pages["greeter"] = fmt.Sprintf(`<a href="http://%s/%s">%s</a>`, s.at, wheel, wheel)
			s.files["/"+wheel] = wheelOf(t, "greeter", "1.0", "")
			return map[string]string{"requirements.txt": "greeter\n"}
		}, o: func(s *stranger) Options { return Options{Registries: []string{s.at}} }},
		{name: "an npm dependency by address", asked: true, files: func(_ *npmRegistry, _ *pipIndex, s *stranger) map[string]string {
			s.files["/greeter.tgz"] = tarballOf(t, greeter("1.0.0", "hello"))
			return map[string]string{"package.json": depends("greeter", "http://"+s.at+"/greeter.tgz")}
		}},
		{name: "a Python dependency by address", asked: true, files: func(_ *npmRegistry, _ *pipIndex, s *stranger) map[string]string {
			const wheel = "/greeter-1.0-py3-none-any.whl"
			s.files[wheel] = wheelOf(t, "greeter", "1.0", "")
			return map[string]string{"requirements.txt": "greeter @ http://" + s.at + wheel + "\n"}
		}},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			r, x, s := newNPMRegistry(t, greeter("1.0.0", "hello")), newPipIndex(t), newStranger(t)
			var o Options
			if c.o != nil {
				o = c.o(s)
			}
			l := newLab(t, "pip", o, "npm_config_registry="+r.URL+"/", "npm_config_fetch_retries=0", "PIP_INDEX_URL="+x.url(),
				"PIP_RETRIES=0", "PIP_TRUSTED_HOST="+publicAddress)
			files := c.files(r, x, s)
			if c.says != nil {
				l.refuse(files, c.says...)
			} else if tree := l.must(files); !strings.Contains(strings.Join(tree.Warnings, "; "), c.warns) {
				t.Errorf("warnings %q, want %q", tree.Warnings, c.warns)
			}
			if asked := s.asked.Load() > 0; asked != c.asked {
				t.Errorf("the stranger was asked: %v, want %v\n%s", asked, c.asked, l.printed())
			}
		})
	}
}

// dialling is a build that talks to the stranger, and goes on if it cannot.
func dialling(s *stranger) string {
	return fmt.Sprintf("import urllib.request\ntry: urllib.request.urlopen('http://%s/secret')\nexcept urllib.error.HTTPError: pass\nexcept OSError:\n    pass\n", s.at)
}

// locked is a connector whose lockfile has greeter from this address.
func locked(r *npmRegistry, address string) map[string]string {
	lock := r.lockfile(map[string]string{"greeter": "1.0.0"})
	return map[string]string{
		"package.json":      depends("greeter", "1.0.0"),
		"package-lock.json": strings.Replace(lock, `"integrity"`, fmt.Sprintf(`"resolved": %q, "integrity"`, address), 1),
	}
}

// What npm understands as an address, in all places where one may be, and what of requirements files is one.
func TestAddressesOfDependencies(t *testing.T) {
	state := t.TempDir()
	p := connector(t, state, map[string]string{
		"package.json": `{"dependencies": {"a": "https://files.test/a.tgz", "b": "git+https://git.test:8443/b.git#v1", "c": "^1.0.0", "d": "npm:other@1",
			"e": "file:./lib", "f": "git+ssh://git@ssh.test/f.git", "g": "git+ssh://git@scp.test:team/g.git", "h": "http://not a host/h.tgz"},
			"overrides": {"x": {"y": "http://over.test/y.tgz"}}, "devDependencies": {"dev": "https://dev.test/d.tgz"}}`,
		"lib/package.json": `{"name": "lib", "optionalDependencies": {"l": "https://lib.test/l.tgz"}}`,
		"package-lock.json": `{"lockfileVersion": 2, "requires": true,
			"packages": {"node_modules/z": {"version": "1.0.0", "resolved": "https://resolved.test/z.tgz", "dependencies": {"deep": "https://deep.test/d.tgz"}}},
			"dependencies": {"o": {"version": "git+https://old.test/o.git#1", "dependencies": {"p": {"version": "1.0.0", "integrity": "sha512-a/b==",
			"resolved": "https://resolved.test/p.tgz", "requires": {"q": "https://inner.test/q.tgz"}}}}}}`,
		"requirements.txt": "\ufeffone @ https://one.test/one-1.0-py3-none-any.whl\n# https://comment.test/\n-r more.txt\n--index-url https://index.test/simple\n" +
			"https://plain.test:444/two.tar.gz ; python_version > '3'\nthree\n",
		"more.txt": "-e git+https://edit.test/e.git@main#egg=e\nfour @ git+ssh://git@pip-ssh.test/four\nfive @ https://${HOST}/x.whl\n",
	})
	b := New(Options{Runtimes: &found, Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + state}})
	pl, err := b.plan(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	j := &job{Builder: b, plan: pl, dir: p.Dir}
	npm, pip := usable(hostPorts(j.npmAddresses(t.Context()))), usable(hostPorts(j.pipAddresses()))
	if got, want := strings.Join(npm, " "), "deep.test:443 dev.test:443 files.test:443 git.test:8443 inner.test:443 lib.test:443 "+
		"old.test:443 over.test:80 scp.test:22 ssh.test:22"; got != want {
		t.Errorf("npm is let out to\n%s, want\n%s", got, want)
	}
	if got, want := strings.Join(pip, " "), "edit.test:443 one.test:443 pip-ssh.test:22 plain.test:444"; got != want {
		t.Errorf("pip is let out to\n%s, want\n%s", got, want)
	}
}

// A shorthand is npm's to understand: one that has a host leads out to it, and npm knows more than one way there.
func TestShorthandsOfDependencies(t *testing.T) {
	state := t.TempDir()
	p := connector(t, state, map[string]string{"package.json": depends("a", "somebody/something")})
	b := New(Options{Runtimes: &found, Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + state}})
	pl, err := b.plan(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	j := &job{Builder: b, plan: pl, dir: p.Dir}
	if all := usable(hostPorts(j.npmAddresses(t.Context()))); len(all) < 2 {
		t.Errorf("npm is let out to %q", all)
	}
}

// pip says by itself where the index that it takes by default keeps its files.
func TestFilesOfTheDefaultIndex(t *testing.T) {
	b := New(Options{Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "PIP_CONFIG_FILE=/dev/null"}})
	s, err := b.pipOutside(t.Context(), tool(t, "pip"))
	if err != nil {
		t.Fatal(err)
	}
	if hosts := hostPorts(s.urls); len(hosts) != 2 || hosts[0] == hosts[1] {
		t.Errorf("pip may reach %q", hosts)
	}
}
