package main_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// terminal runs majordomo as a person would, on a terminal of 60 columns: `terminal CODE TYPED FILE VERB…`. TYPED is
// "PROMPT=ANSWER", or "": when the terminal shows PROMPT, ANSWER is typed. What the terminal showed, escapes and all, is in FILE.
func terminal(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 {
		ts.Fatalf("usage: terminal CODE TYPED FILE VERB…")
	}
	there, here, err := openTerminal(60)
	ts.Check(err)
	cmd := exec.Command(filepath.Join(binDir, "majordomo"), args[3:]...)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "MAJORDOMO_STATE", "GORACE"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	cmd.Env = append(cmd.Env, "TERM=xterm")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = here, here, here
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	ts.Check(cmd.Start())
	here.Close()
	prompt, answer, _ := strings.Cut(args[1], "=")
	var shown string
	var reading sync.WaitGroup
	reading.Go(func() { shown = sit(there, prompt, answer) })
	err = cmd.Wait()
	reading.Wait() // it ends when the last writer is gone
	there.Close()
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(shown), 0o644))
	code := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if want := args[0]; strconv.Itoa(code) != want {
		ts.Fatalf("exit code %d, want %s:\n%q", code, want, shown)
	}
}

// sit watches a terminal and types once.
func sit(there *os.File, prompt, answer string) string {
	var shown strings.Builder
	buf := make([]byte, 4096)
	for typed := prompt == ""; ; {
		n, err := there.Read(buf)
		shown.Write(buf[:n])
		if !typed && strings.Contains(shown.String(), prompt) {
			typed = true
			_, _ = io.WriteString(there, answer+"\n")
		}
		if err != nil {
			return shown.String() // EIO: nobody holds the other end any more
		}
	}
}

// openTerminal makes a pseudo-terminal: this side of it, and that of the program.
func openTerminal(columns uint16) (there, here *os.File, err error) {
	there, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, err
	}
	fd := int(there.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = errors.Join(unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0),
			unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}))
	}
	if err == nil {
		here, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		there.Close()
	}
	return there, here, err
}
