package main_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// binDir is where TestMain built the two programs; the scripts run these, not the test binary.
var binDir string

func TestMain(m *testing.M) {
	os.Exit(testMain(m))
}

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "majordomo-bin-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	// The sandbox shows these programs to a uid that is not ours.
	if err := os.Chmod(dir, 0o755); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for program, env := range map[string][]string{".": raceEnv, "../majordomo-init": {"CGO_ENABLED=0"}} {
		build := exec.Command("go", "build", "-o", dir+"/", program)
		build.Env = append(os.Environ(), env...)
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%s\n", out)
			return 1
		}
	}
	binDir = dir
	return m.Run()
}

// Each script has a state directory, a feed of small Python connectors and a clean environment of its own, and starts its own
// daemon.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		Setup:               setup,
		RequireExplicitExec: true,
		Condition: func(condition string) (bool, error) {
			if condition == "root" {
				return os.Getuid() == 0, nil
			}
			return false, fmt.Errorf("no condition %q", condition)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"await":    await,
			"disk":     disk,
			"exits":    exits,
			"keys":     keys,
			"sign":     sign,
			"terminal": terminal,
		},
	})
}

func setup(env *testscript.Env) error {
	feed := filepath.Join(env.WorkDir, "feed")
	if err := writeFeed(feed); err != nil {
		return err
	}
	if err := write(filepath.Join(env.WorkDir, "publisher.key"), secretKey()); err != nil {
		return err
	}
	env.Setenv("PATH", binDir+string(filepath.ListSeparator)+env.Getenv("PATH"))
	env.Setenv("HOME", env.WorkDir)
	env.Setenv("FEED", feed)
	examples, err := filepath.Abs("../../configs/feed")
	if err != nil {
		return err
	}
	env.Setenv("EXAMPLES", examples)
	env.Setenv("PUBLIC_KEY", publicKey())
	env.Setenv("GORACE", "halt_on_error=1")
	env.Setenv("MAJORDOMO_STATE", filepath.Join(env.WorkDir, "state"))
	return nil
}

// await runs a command until its output matches: `await PATTERN COMMAND…`. It is how a script waits for a state.
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: await PATTERN COMMAND…")
	}
	pattern, err := regexp.Compile(args[0])
	ts.Check(err)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for limit := time.After(time.Minute); ; {
		err := ts.Exec(args[1], args[2:]...)
		out := ts.ReadFile("stdout") + ts.ReadFile("stderr")
		if pattern.MatchString(out) {
			return
		}
		select {
		case <-tick.C:
		case <-limit:
			ts.Fatalf("%q did not come within a minute; last (%v):\n%s", args[0], err, out)
		}
	}
}

// disk makes a directory a file system of so many KiB: `disk DIR KIB`.
func disk(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: disk DIR KIB")
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o700))
	ts.Check(unix.Mount("tmpfs", dir, "tmpfs", 0, "mode=700,size="+args[1]+"k"))
	ts.Defer(func() { ts.Check(unix.Unmount(dir, unix.MNT_DETACH)) })
}

// exits runs a command and checks its exit code: `exits CODE COMMAND…`.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND…")
	}
	code := 0
	err := ts.Exec(args[1], args[2:]...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if want := args[0]; strconv.Itoa(code) != want {
		ts.Fatalf("exit code %d, want %s:\n%s%s", code, want, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

// keys checks that the JSON on stdout has exactly these fields: `keys PATH NAME…`, where PATH is "." or steps such as
// "instances.0.sandbox". A name ending in ? may be missing.
func keys(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: keys PATH NAME…")
	}
	var at any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &at))
	for step := range strings.FieldsFuncSeq(args[0], func(r rune) bool { return r == '.' }) {
		switch v := at.(type) {
		case map[string]any:
			at = v[step]
		case []any:
			i, err := strconv.Atoi(step)
			ts.Check(err)
			if i >= len(v) {
				ts.Fatalf("there are only %d at %s", len(v), args[0])
			}
			at = v[i]
		}
	}
	found, isObject := at.(map[string]any)
	if !isObject {
		ts.Fatalf("%s is no object but %v", args[0], at)
	}
	for _, name := range args[1:] {
		bare, optional := strings.CutSuffix(name, "?")
		if _, ok := found[bare]; !ok && !optional {
			ts.Fatalf("%s has no field %q: %v", args[0], bare, found)
		}
		delete(found, bare)
	}
	if len(found) > 0 {
		ts.Fatalf("%s has fields that nobody named: %v", args[0], found)
	}
}
