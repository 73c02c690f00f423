package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
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
