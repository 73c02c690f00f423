package mcptest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// Process is a scripted connector that runs as a child of the test, without any
// sandbox. It and what it started end with the test.
type Process struct {
	Cmd                   *exec.Cmd
	Stdin, Stdout, Stderr *os.File
	exited                chan struct{}
	trace                 string
}

// Start starts a connector in mode. The test is skipped, by name, where the
// runtime is missing.
func Start(t testing.TB, r Runtime, mode string) *Process {
	t.Helper()
	_, program := r.entry()
	return StartProgram(t, r, string(program), "FAKE_MODE="+mode)
}

// StartProgram starts a program of the test's own; env is added to its
// environment, in which FAKE_TRACE names the file that Trace reads.
func StartProgram(t testing.TB, r Runtime, program string, env ...string) *Process {
	t.Helper()
	dir := t.TempDir()
	entry, _ := r.entry()
	if err := os.WriteFile(filepath.Join(dir, entry), []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &Process{trace: filepath.Join(dir, "trace"), exited: make(chan struct{})}
	p.Cmd = exec.Command(Interpreter(t, r), entry)
	p.Cmd.Dir = dir
	p.Cmd.Env = append(append(os.Environ(), env...), "FAKE_TRACE="+p.trace)
	p.Cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	theirs := p.pipes(t)
	if err := p.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, f := range theirs {
		f.Close()
	}
	go func() {
		_ = p.Cmd.Wait() // the state is in Cmd
		close(p.exited)
	}()
	t.Cleanup(p.kill)
	return p
}

// pipes makes the three pipes and returns the ends of the child.
func (p *Process) pipes(t testing.TB) []*os.File {
	t.Helper()
	var theirs []*os.File
	for i, ours := range []**os.File{&p.Stdin, &p.Stdout, &p.Stderr} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		mine, child := r, w
		if i == 0 {
			mine, child = w, r
		}
		*ours = mine
		theirs = append(theirs, child)
		t.Cleanup(func() { mine.Close() })
	}
	p.Cmd.Stdin, p.Cmd.Stdout, p.Cmd.Stderr = theirs[0], theirs[1], theirs[2]
	return theirs
}

// Exited is closed when the process has ended and was waited for.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Trace returns the lines that the connector has received so far.
func (p *Process) Trace() []string { return p.lines("") }

// lines returns the traced lines that begin with prefix.
func (p *Process) lines(prefix string) []string {
	data, _ := os.ReadFile(p.trace) // nothing received yet is no file
	var lines []string
	for line := range strings.Lines(string(data)) {
		if _, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " "); ok && strings.HasPrefix(text, prefix) {
			lines = append(lines, text)
		}
	}
	return lines
}

// kill ends the process, its group, and a child in a session of its own.
func (p *Process) kill() {
	syscall.Kill(-p.Cmd.Process.Pid, syscall.SIGKILL)
	for _, line := range p.lines("child ") {
		var pid int
		if _, err := fmt.Sscanf(line, "child %d", &pid); err == nil {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	<-p.exited
}

// Interpreter returns the real path of the interpreter, past the shims of a
// version manager, which cost more than the interpreter itself.
func Interpreter(t testing.TB, r Runtime) string {
	t.Helper()
	path, err := map[Runtime]func() (string, error){Python: python, Node: node, Shell: shell}[r]()
	if err != nil {
		t.Fatalf("cannot find %s, which scripts/test installs: %v", r, err)
	}
	return path
}

var (
	python = sync.OnceValues(func() (string, error) { return real("python3", "-c", "import sys; print(sys.executable)") })
	node   = sync.OnceValues(func() (string, error) { return real("node", "-p", "process.execPath") })
	shell  = sync.OnceValues(func() (string, error) { return exec.LookPath("sh") })
)

func real(name string, args ...string) (string, error) {
	out, err := exec.Command(name, args...).Output()
	return string(bytes.TrimSpace(out)), err
}
