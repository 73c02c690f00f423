package seccomp

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// What connectors are made of works unmodified: sockets, name lookup, threads, children, pipes, WebAssembly (undici's parser).
const nodeScript = `
const http = require('http'), { Worker } = require('worker_threads'), { execFileSync } = require('child_process'), fs = require('fs');
(async () => {
  new WebAssembly.Memory({ initial: 1 });
  const server = http.createServer((q, r) => r.end('hello')).listen(0, '127.0.0.1');
  await new Promise(done => server.on('listening', done));
  const text = await (await fetch('http://127.0.0.1:' + server.address().port + '/')).text();
  const fromThread = await new Promise((done, fail) => new Worker('require("worker_threads").parentPort.postMessage(6*7)', { eval: true }).on('message', done).on('error', fail));
  const fromChild = execFileSync(process.execPath, ['-p', '1+1']).toString().trim();
  await fs.promises.readFile("/proc/self/status");
  server.close();
  server.closeAllConnections();
  console.log(text, fromThread, fromChild);
})();
`

const pythonScript = `
import asyncio, http.server, multiprocessing, socket, subprocess, sys, threading, urllib.request
class Hello(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(b"hello")
    def log_message(self, *a): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hello)
threading.Thread(target=server.serve_forever, daemon=True).start()
text = urllib.request.urlopen("http://127.0.0.1:%d/" % server.server_port).read().decode()
socket.getaddrinfo("localhost", 80)
child = subprocess.run([sys.executable, "-c", "print(1+1)"], capture_output=True, text=True, check=True).stdout.strip()
async def both():
    a, b = await asyncio.gather(asyncio.to_thread(lambda: 40), asyncio.to_thread(lambda: 2))
    return a + b
if __name__ == "__main__":
    q = multiprocessing.get_context("fork").Queue()
    p = multiprocessing.get_context("fork").Process(target=q.put, args=(asyncio.run(both()),)); p.start()
    print(text, q.get(), child)
    p.join()
`

func TestRuntimesLive(t *testing.T) {
	for _, c := range []struct{ path, script, name string }{
		{"/usr/bin/node", nodeScript, "script.cjs"},
		{"/usr/bin/python3", pythonScript, "script.py"},
	} {
		t.Run(filepath.Base(c.path), func(t *testing.T) {
			t.Parallel()
			if _, err := os.Stat(c.path); err != nil {
				t.Skip(err)
			}
			file := filepath.Join(t.TempDir(), c.name)
			if err := os.WriteFile(file, []byte(c.script), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := again(t, modeExec, c.path, file)
			if err != nil || out != "hello 42 2" {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// int 0x80 enters the i386 table from 64-bit code, where 20 is getpid and 101 is ioperm.
func TestI386EntryRefused(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("int 0x80 is an amd64 instruction")
	}
	file := filepath.Join(t.TempDir(), "int80")
	if err := os.WriteFile(file, elf64(
		0xb8, 20, 0, 0, 0, // mov eax, 20
		0xcd, 0x80, // int 0x80
		0xf7, 0xd8, // neg eax
		0x89, 0xc7, // mov edi, eax
		0xb8, 60, 0, 0, 0, // mov eax, exit
		0x0f, 0x05, // syscall
	), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := again(t, modeExec, file)
	exit, ok := err.(interface{ ExitCode() int })
	if !ok || exit.ExitCode() != int(unix.ENOSYS) {
		t.Errorf("got %v, want exit status %d (ENOSYS)", err, unix.ENOSYS)
	}
}

// elf64 wraps code in the smallest static program.
func elf64(code ...byte) []byte {
	const base, header = 0x400000, 64 + 56
	var b bytes.Buffer
	b.Write([]byte{0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	size := uint64(header + len(code))
	for _, v := range []any{
		uint16(2), uint16(62), uint32(1), uint64(base + header), uint64(64), uint64(0), uint32(0), // type, machine, version, entry, phoff, shoff, flags
		uint16(64), uint16(56), uint16(1), uint16(0), uint16(0), uint16(0),
		uint32(1), uint32(5), uint64(0), uint64(base), uint64(base), size, size, uint64(4096), // PT_LOAD, r-x
	} {
		_ = binary.Write(&b, binary.LittleEndian, v) // a bytes.Buffer takes everything
	}
	b.Write(code)
	return b.Bytes()
}
