package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// What a program must find, in the languages connectors are written in.
func TestRuntimes(t *testing.T) {
	h := openHost(t)
	node := func(script string) Spec {
		if _, err := os.Stat("/usr/bin/node"); err != nil {
			t.Skip("no /usr/bin/node")
		}
		return connector("/usr/bin/node", "-e", script)
	}
	for name, s := range map[string]Spec{
		"node finds its uid in passwd": node(`if (os.userInfo().username !== 'connector' || os.homedir() !== '/root') throw 1`),
		"node sees cpus":               node(`if (os.cpus().length < 1) throw 1`),
		"node measures memory":         node(`process.memoryUsage()`),
		"node resolves localhost":      node(`require('dns').promises.lookup('localhost').then(a => { if (a.address !== '127.0.0.1') throw a })`),
		"node talks to itself": node(`const n = require('net'); const s = n.createServer(c => c.end()).listen(0, '127.0.0.1', () =>
			n.connect(s.address().port, '127.0.0.1').on('error', e => { throw e }).on('close', () => s.close()))`),
		"node starts threads": node(`new (require('worker_threads').Worker)('1', {eval: true}).on('exit', c => { if (c) throw c })`),
		"node spawns": node(`if (require('child_process').spawnSync('sh', ['-c', 'echo hi']).stdout + '' !== 'hi\n') throw 1;
			require('child_process').exec('exit 0', e => { if (e) throw e })`),
		// Under some filters spawnSync says EPERM of a child that ran, and a loop that asks for io_uring is killed without a word.
		"node spawns and waits": node(`const r = require('child_process').spawnSync('cat', {input: 'x'.repeat(1 << 20)});
			if (r.error || r.status !== 0 || r.signal || r.stdout.length !== 1 << 20) throw r.error || JSON.stringify([r.status, r.signal])`),
		"node asks for io_uring": with(node(`require('fs').promises.readFile('/etc/passwd').then(b => { if (!b.length) throw 1 })`), "UV_USE_IO_URING=1"),
		"browsers' shared memory": python(`
import mmap, os
f = os.open("/dev/shm/x", os.O_RDWR | os.O_CREAT)
os.posix_fallocate(f, 0, 128 << 20)
m = mmap.mmap(f, 128 << 20, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
m[-1] = 1`),
		"native code is loaded from where it was unpacked": python(`
import ctypes, glob, shutil, tempfile
[library] = glob.glob("/usr/lib/*/libm.so.6")
for dir in [tempfile.gettempdir(), "/root", "/dev/shm"]:
    ctypes.CDLL(shutil.copy(library, dir + "/addon.so")).cos`),
		"node compiles wasm":             node(`new WebAssembly.Memory({initial: 1, maximum: 1000})`),
		"python finds its uid":           python(`import getpass, os; assert getpass.getuser() == 'connector', getpass.getuser()`),
		"python resolves localhost":      python(`import socket; assert socket.gethostbyname('localhost') == '127.0.0.1'`),
		"python starts processes":        python(`import multiprocessing as m; assert m.Pool(2).map(abs, [-1, -2]) == [1, 2]`),
		"python starts threads":          python(`import threading; t = threading.Thread(target=print); t.start(); t.join()`),
		"python has certificates":        python(`import ssl; assert ssl.create_default_context().get_ca_certs() or ssl.get_default_verify_paths()`),
		"stdio can be opened by name":    shell(`echo out >/dev/stdout && echo err >/dev/stderr && cat </dev/stdin`),
		"devices work":                   shell(`echo x >/dev/null && head -c 4 /dev/urandom >/dev/null && head -c 4 /dev/zero >/tmp/z`),
		"tmp, shm and home are its own":  shell(`touch /tmp/a /dev/shm/b /root/c /var/tmp/d && test -O /root`),
		"programs run from tmp":          shell(`printf '#!/bin/sh\nexit 0\n' >/tmp/x && chmod +x /tmp/x && /tmp/x`),
		"the host name is its own":       shell(`test "$(hostname)" = test`),
		"its init is beyond its signals": shell(`kill -KILL 1; kill -STOP 1; echo alive`),
		"standard tools are reachable":   shell(`awk 'BEGIN { exit 0 }' && which sh`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			succeed(t, h, s)
		})
	}
}

// with adds to the environment.
func with(s Spec, env ...string) Spec {
	s.Env = append(slices.Clone(s.Env), env...)
	return s
}

// The host's resolver, on its loopback as systemd's is or not, is of no use in a network of its own.
func TestResolver(t *testing.T) {
	h := openHost(t)
	s := shell(`cat /etc/resolv.conf`)
	s.Network = NetworkOpen
	if got := succeed(t, h, s); !strings.Contains(got, "nameserver 127.0.0.1\n") || strings.Count(got, "nameserver") != 1 {
		t.Errorf("it asks %q", got)
	}
}

// Where the state directory is on a file system without programs, native code of connectors cannot be loaded: the admin is told before
// somebody sees "failed to map segment from shared object". Scratch space is not there, and is not concerned.
func TestStateWithoutPrograms(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("TestStateWithoutPrograms skipped: only root can mount a file system without programs")
	}
	dir := stateDir(t)
	if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_NOEXEC, "mode=700,size=1m"); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	}()
	h, err := New(Options{StateDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if note := h.Report().Notes[MountView]; !strings.Contains(note, "noexec") {
		t.Errorf("nothing is said of it: %+v", h.Report())
	}
	if note := openHost(t).Report().Notes[MountView]; note != "" {
		t.Errorf("elsewhere it is said: %s", note)
	}
	succeed(t, h, shell(`printf '#!/bin/sh\nexit 0\n' >/tmp/x && chmod +x /tmp/x && /tmp/x`))
}

// What it must not find or change.
func TestDenied(t *testing.T) {
	h := openHost(t)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("s"), 0o666); err != nil { // readable to all: only the view hides it
		t.Fatal(err)
	}
	for name, script := range map[string]string{
		"shadow":                 `cat /etc/shadow`,
		"the state directory":    `cat ` + secret,
		"the host's root":        `ls /proc/1/root/`,
		"the init's environment": `cat /proc/1/environ`,
		"the init's descriptors": `ls /proc/1/fd`,
		"the init's program":     `cat /proc/1/exe`,
		"sysfs":                  `ls /sys/kernel`,
		"the kernel's memory":    `head -c 1 /proc/kcore`,
		"a new file in the root": `touch /x`,
		"a new file in /etc":     `touch /etc/x`,
		"a new device":           `mknod /tmp/null c 1 3`,
		"a mode of a device":     `chmod 600 /dev/null`,
		"sysctl":                 `echo 1 >/proc/sys/kernel/printk`,
		"a mount":                `mount -t tmpfs none /tmp`,
		"a user namespace":       `unshare -U true`,
		"a write to /usr":        `touch /usr/x`,
		"root through setuid":    `su -c true`,
		"another root directory": `chroot /tmp /bin/true`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if out, errs, exit := output(t, h, shell(script)); exit.Code == 0 || exit.Signal != "" {
				t.Errorf("%q was permitted: %+v %s%s", script, exit, out, errs)
			}
		})
	}
}

func TestEnvironmentIsExact(t *testing.T) {
	t.Setenv("CANARY", "of the daemon")
	h := openHost(t)
	s := connector("/usr/bin/env", "-0")
	s.Env = []string{"A=1", "B=two words", "C=", "D=x=y\nz", "E=\xff\xfe\u2028"}
	out, errs, _ := output(t, h, s)
	if got := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00"); !slices.Equal(got, s.Env) {
		t.Errorf("%q %s", got, errs)
	}
}

// A descriptor that a library of the daemon opened without close-on-exec does not reach a connector.
func TestDescriptorsAreClosed(t *testing.T) {
	h := openHost(t)
	leaked := leak(t)
	got := succeed(t, h, shell(`for f in /proc/self/fd/*; do echo -n "${f##*/} "; done`))
	if got != "0 1 2" && got != "0 1 2 3" { // the glob itself may hold the directory open
		t.Errorf("descriptors %s, with %d left open in the daemon", got, leaked)
	}
	if got := succeed(t, h, python(`import os; print(*[f for f in range(3, 1000) if os.path.lexists(f"/proc/self/fd/{f}")])`)); got != "" {
		t.Errorf("descriptors %s", got)
	}
}

func TestLimits(t *testing.T) {
	h := openHost(t)
	s := shell(`ulimit -c; ulimit -n; ulimit -v; head -c 3000000 /dev/zero >/tmp/big 2>/dev/null || echo full`)
	s.Limits = Limits{Files: 100, Tmp: 2 << 20}
	if got := succeed(t, h, s); got != "0\n100\nunlimited\nfull" {
		t.Error(got)
	}
}
