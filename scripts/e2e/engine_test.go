package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// engine is a Docker engine of this test's own: its socket, data and containers lie in one folder,
// and it touches neither bridges nor packet filters.
type engine struct {
	t      *testing.T
	socket string
}

func startEngine(t *testing.T) engine {
	t.Helper()
	// A unix socket's path has to be short.
	dir, err := os.MkdirTemp("", "engine-")
	if err != nil {
		t.Fatal(err)
	}
	e := engine{t: t, socket: "unix://" + dir + "/d.sock"}
	d := exec.Command("dockerd", "--data-root", dir+"/data", "--exec-root", dir+"/exec", "--pidfile", dir+"/d.pid", "-H", e.socket,
		"--storage-driver", "overlay2", "--iptables=false", "--ip6tables=false", "--ip-forward=false", "--ip-masq=false",
		"--bridge=none", "--exec-opt", "native.cgroupdriver=cgroupfs")
	log, err := os.Create(dir + "/log")
	if err != nil {
		t.Fatal(err)
	}
	d.Stdout, d.Stderr = log, log
	if err := d.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stopEngine(t, d, dir) })
	e.await(filepath.Join(dir, "log"))
	return e
}

// await polls until the engine answers.
func (e engine) await(log string) {
	e.t.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for limit := time.After(60 * time.Second); e.command("version").Run() != nil; {
		select {
		case <-tick.C:
		case <-limit:
			text, _ := os.ReadFile(log)
			e.t.Fatalf("the Docker engine does not answer:\n%s", last(text))
		}
	}
}

func stopEngine(t *testing.T, d *exec.Cmd, dir string) {
	d.Process.Signal(syscall.SIGTERM)
	d.Wait()
	syscall.Unmount(dir+"/exec/netns/default", 0) // the engine leaves the name of its own network behind
	if err := os.RemoveAll(dir); err != nil {
		t.Errorf("cannot remove the engine's folder: %v", err)
	}
}

// with is the engine as a subtest sees it.
func (e engine) with(t *testing.T) engine { return engine{t: t, socket: e.socket} }

// command is Debian's own client, which speaks this engine's version; the classic builder needs no plug-in.
func (e engine) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(e.t.Context(), "/usr/bin/docker", args...)
	cmd.Env = append(os.Environ(), "DOCKER_HOST="+e.socket, "DOCKER_BUILDKIT=0")
	return cmd
}

func (e engine) docker(args ...string) string {
	e.t.Helper()
	cmd := e.command(args...)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		e.t.Fatalf("docker %s: %v\n%s%s", args[0], err, out, errs.String())
	}
	return string(out)
}

// importBase makes a minimal Debian of this host's own release and mirror.
func (e engine) importBase() {
	e.t.Helper()
	dir := e.t.TempDir()
	script := `set -e
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' 'Origin: Debian' | head -n 1)
. /etc/os-release
debootstrap --variant=minbase --include=ca-certificates "$VERSION_CODENAME" "$1/base" "$mirror" >"$1/log" 2>&1 || { tail -n 5 "$1/log"; exit 1; }
tar -C "$1/base" -cf - . | /usr/bin/docker import - majordomo-base`
	cmd := exec.CommandContext(e.t.Context(), "sh", "-c", script, "sh", dir)
	cmd.Env = e.command().Env
	if out, err := cmd.CombinedOutput(); err != nil {
		e.t.Fatalf("cannot make the base image: %v\n%s", err, last(out))
	}
}
