package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// launchers are the ways in which a script starts a server. A file server.py lies beside it.
var launchers = map[string]string{
	"exec":       "exec python3 server.py",
	"fork":       "python3 server.py\nexit $?",
	"background": "exec 3<&0\npython3 server.py <&3 3<&- &\nexec 3<&- </dev/null\nwait",
	"subshell":   "( python3 server.py )\nexit $?",
	"setsid":     "setsid --wait python3 server.py\nexit $?",
	"pipeline":   "python3 server.py | cat",
	"timeout":    "timeout 3600 python3 server.py\nexit $?", // a process group of its own
	"deaf":       "trap '' HUP INT TERM PIPE\npython3 server.py\nexit $?",
	"node":       `exec node -e 'require("child_process").spawn("sh", ["-c", "python3 server.py; exit $?"], {stdio: "inherit"}).on("exit", () => process.exit(1))'`,
	"python": `exec python3 -c '
import ctypes, os, sys
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0) # orphans become children of this one
if os.fork() == 0:
    os.setsid()
    os.execvp("python3", ["python3", "server.py"])
os.wait()'`,
}

// However a connector was started, and whatever it leaves behind: when it is stopped, when it crashes and
// when the daemon is killed, nothing of it lives on. The table counts rounds and survivors.
func TestSurvivors(t *testing.T) {
	everyUser(t, func(t *testing.T, user *syscall.Credential) {
		h := launcherHouse(t, user)
		rounds := 1
		if long() {
			rounds = 50
		}
		for _, way := range []struct {
			name string
			end  func()
		}{{"stop", h.restartAll}, {"crash", h.crashAll}, {"kill -9 of the daemon", h.killAndServe}} {
			for range rounds {
				h.survive(way.name, way.end)
				h.forgetCrashes()
			}
			t.Logf("%-22s %d rounds of %d launchers, 0 survivors", way.name, rounds, len(launchers))
		}
	})
}

// survive ends every connector in one way and looks for what is left.
func (h *house) survive(way string, end func()) {
	h.t.Helper()
	var before []process
	for _, i := range h.instances() {
		if _, err := h.hostileCall(i.Connector, "linger"); err != nil {
			h.t.Fatal(err)
		}
		var all []process
		h.wait("the server, its init and what it leaves behind", func() bool {
			all = tree(h.t, i.PID)
			return len(all) >= 2+3+3 // three shells, each with its sleep
		})
		before = append(before, all...)
	}
	end()
	h.wait("nothing to live on after "+way, func() bool { return !anyAlive(before) })
	h.wait("every connector to be back after "+way, func() bool { return len(h.running()) == len(launchers) })
}

func (h *house) hostileCall(connector, tool string) (string, error) {
	out, errs, err := h.run("", "call", "mcp__"+connector+"__"+tool, "--member", "ann")
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, errs)
	}
	return out, nil
}

func (h *house) restartAll() {
	for name := range launchers {
		h.ok("restart", name, "--member", "ann")
	}
}

// forgetCrashes has a person press restart, so that fifty crashes in a row are not waited for longer each time, and in the end for ever.
func (h *house) forgetCrashes() {
	h.restartAll()
	h.wait("every connector to be back", func() bool { return len(h.running()) == len(launchers) })
}

// crashAll kills the servers, and not what started them.
func (h *house) crashAll() {
	h.t.Helper()
	for _, i := range h.instances() {
		all := tree(h.t, i.PID)
		server := slices.IndexFunc(all, func(p process) bool { return runs(p.pid, "python3", "server.py") })
		if server < 0 {
			h.t.Fatalf("%s has no server among %v", i.Connector, all)
		}
		syscall.Kill(all[server].pid, syscall.SIGKILL)
	}
}

func (h *house) killAndServe() {
	h.end(syscall.SIGKILL)
	h.serve()
}

// runs reports whether a process is this program with this argument.
func runs(pid int, program, argument string) bool {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	words := bytes.Split(text, []byte{0})
	return len(words) > 1 && strings.HasPrefix(filepath.Base(string(words[0])), program) && filepath.Base(string(words[1])) == argument
}

// launcherHouse is one where ann runs the hostile connector once by each launcher.
func launcherHouse(t *testing.T, user *syscall.Credential) *house {
	t.Helper()
	feed := publicDir(t)
	for name, script := range launchers {
		offerLauncher(t, feed, name, script)
	}
	h := publicHouse(t, feed, user)
	h.ok("member", "add", "ann")
	for name := range launchers {
		h.ok("install", name)
		h.ok("activate", name, "--member", "ann")
	}
	return h
}

// offerLauncher puts a copy of the hostile connector into a feed that is started by a script.
func offerLauncher(t *testing.T, feed, name, script string) {
	t.Helper()
	dir := filepath.Join(feed, name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	h := &house{t: t}
	h.shell("cp", filepath.Join(hostileFolder, "server.py"), dir)
	write(t, filepath.Join(dir, "start.sh"), script+"\n")
	for _, file := range []string{"connector.json", "fragment.json"} {
		text, err := os.ReadFile(filepath.Join(hostileFolder, file))
		if err != nil {
			t.Fatal(err)
		}
		said := strings.NewReplacer(`"hostile"`, `"`+name+`"`, `"command": "python3"`, `"command": "sh"`,
			`["server.py"]`, `["start.sh"]`, "python3 server.py", "sh start.sh").Replace(string(text))
		write(t, filepath.Join(dir, file), said)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
