// Package dockertest starts a Docker Engine of a test's own: its socket, data and containers lie in one folder, and it touches neither
// bridges nor packet filters. The package must never be imported by the product. It starts no goroutine.
package dockertest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Engine is one that runs until the end of the test that started it.
type Engine struct {
	Address string // of its socket
	t       testing.TB
	dir     string
	daemon  *exec.Cmd
}

// Start skips the test by name where no Engine can be started. The test may need more of Debian's programs, each in a package of its name.
func Start(t testing.TB, programs ...string) *Engine {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skipf("%s skipped: starting a Docker engine needs root", t.Name())
	}
	need(t, programs)
	// A unix socket's path has to be short.
	dir, err := os.MkdirTemp("", "engine-")
	if err != nil {
		t.Fatal(err)
	}
	e := &Engine{Address: "unix://" + dir + "/d.sock", t: t, dir: dir}
	t.Cleanup(e.end)
	e.Run()
	return e
}

// need installs Debian's Docker engine, and what else is missing, where that is asked for, or skips the test.
func need(t testing.TB, programs []string) {
	t.Helper()
	var missing []string
	for _, program := range append([]string{"dockerd"}, programs...) {
		if _, err := exec.LookPath(program); err != nil {
			missing = append(missing, program)
		}
	}
	if len(missing) == 0 {
		return
	}
	packages := strings.Replace(strings.Join(missing, " "), "dockerd", "docker.io", 1)
	if os.Getenv("MAJORDOMO_LONG") == "" {
		t.Skipf("%s skipped: %s is not here; ./scripts/test --long installs Debian's", t.Name(), packages)
	}
	install := exec.CommandContext(t.Context(), "sh", "-c",
		"apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "+packages)
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("%s skipped: Debian's %s cannot be installed: %v\n%s", t.Name(), packages, err, last(out))
	}
}

// With is the same Engine as a subtest sees it.
func (e *Engine) With(t testing.TB) *Engine {
	other := *e
	other.t = t
	return &other
}

// Run starts the Engine, again where it was stopped, and returns when it answers.
func (e *Engine) Run() {
	e.t.Helper()
	e.daemon = exec.Command("dockerd", "--data-root", e.dir+"/data", "--exec-root", e.dir+"/exec", "--pidfile", e.dir+"/d.pid", "-H", e.Address,
		"--storage-driver", "overlay2", "--iptables=false", "--ip6tables=false", "--ip-forward=false", "--ip-masq=false",
		"--bridge=none", "--exec-opt", "native.cgroupdriver=cgroupfs")
	log, err := os.Create(e.dir + "/log")
	if err != nil {
		e.t.Fatal(err)
	}
	defer log.Close()
	e.daemon.Stdout, e.daemon.Stderr = log, log
	if err := e.daemon.Start(); err != nil {
		e.t.Fatal(err)
	}
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for limit := time.After(120 * time.Second); e.Command("version").Run() != nil; {
		select {
		case <-tick.C:
		case <-limit:
			text, _ := os.ReadFile(e.dir + "/log")
			e.t.Fatalf("the Docker engine does not answer:\n%s", last(text))
		}
	}
}

// Stop ends the Engine, and with it its containers.
func (e *Engine) Stop() {
	if e.daemon.ProcessState == nil {
		_ = e.daemon.Process.Signal(syscall.SIGTERM) // it may have ended: then Wait says so
		_ = e.daemon.Wait()
	}
}

func (e *Engine) end() {
	if e.daemon == nil || e.daemon.Process == nil {
		return
	}
	e.Stop()
	_ = syscall.Unmount(e.dir+"/exec/netns/default", 0) // the engine leaves the name of its own network behind
	if err := os.RemoveAll(e.dir); err != nil {
		e.t.Errorf("cannot remove the engine's folder: %v", err)
	}
}

// Command is Debian's own client, which speaks this engine's version; the classic builder needs no plug-in.
func (e *Engine) Command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.WithoutCancel(e.t.Context()), "/usr/bin/docker", args...)
	cmd.Env = append(os.Environ(), "DOCKER_HOST="+e.Address, "DOCKER_BUILDKIT=0")
	return cmd
}

// Docker runs a command of the client that must succeed, and returns what it printed.
func (e *Engine) Docker(args ...string) string {
	e.t.Helper()
	cmd := e.Command(args...)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		e.t.Fatalf("docker %s: %v\n%s%s", args[0], err, out, errs.String())
	}
	return strings.TrimSpace(string(out))
}

// Import makes an image of this host's own programs and what they are linked with, python3 with its library among them: nothing is pulled.
// changes are Dockerfile instructions.
func (e *Engine) Import(image string, programs []string, changes ...string) {
	e.t.Helper()
	list := filepath.Join(e.dir, "files")
	script := `set -e
{
  for p in "$@"; do f=$(command -v "$p"); echo "$f"; readlink -f "$f"; done
  for d in /bin /sbin /lib /lib64; do [ ! -L "$d" ] || echo "$d"; done
  for p in /usr/lib/python3*; do [ ! -d "$p/lib-dynload" ] || find "$p" -type f -not -path '*/__pycache__/*' -not -path '*/dist-packages/*'; done
} | sort -u >"$LIST"
xargs -a "$LIST" ldd 2>/dev/null | sed -n 's/^[^/]*\(\/[^ ]*\) (0x.*/\1/p' | sort -u | while read -r f; do
  echo "$(readlink -f "${f%/*}")/${f##*/}"; readlink -f "$f"
done >>"$LIST"
sort -u "$LIST" | tar --no-recursion -P -T - -cf -`
	pack := exec.CommandContext(e.t.Context(), "sh", append([]string{"-c", script, "sh"}, programs...)...)
	pack.Env = []string{"PATH=/usr/bin:/bin:/usr/sbin:/sbin", "LIST=" + list}
	args := []string{"import"}
	for _, c := range changes {
		args = append(args, "--change", c)
	}
	load := e.Command(append(args, "-", image)...)
	pipe, err := pack.StdoutPipe()
	if err != nil {
		e.t.Fatal(err)
	}
	load.Stdin = pipe
	var complaints strings.Builder
	pack.Stderr = &complaints
	if err := pack.Start(); err != nil {
		e.t.Fatal(err)
	}
	out, err := load.CombinedOutput()
	if packErr := pack.Wait(); err != nil || packErr != nil {
		e.t.Fatalf("cannot make the image %s: %v, %v\n%s%s", image, packErr, err, out, last([]byte(complaints.String())))
	}
}

func last(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], "\n")
}
