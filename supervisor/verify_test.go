package supervisor

import (
	"testing"

	"majordomo/sandbox"
)

func TestVerdict(t *testing.T) {
	exit := func(code int) sandbox.Exit { return sandbox.Exit{Code: code} }
	killed := sandbox.Exit{Code: -1, Signal: "SIGKILL", OOM: true}
	for _, c := range []struct {
		why     string
		out     Output
		ok      bool
		message string
	}{
		{"content", Output{Stdout: []byte(` {"ok": true, "message": "fine", "details": {"x": 1}}` + "\n")}, true, "fine"},
		{"not content", Output{Stdout: []byte(`{"ok": false, "message": "wrong password"}`), Exit: exit(1)}, false, "wrong password"},
		{"no, with exit 0", Output{Stdout: []byte(`{"ok": false, "message": "wrong password"}`)}, false, "wrong password"},
		{"yes, and then it fell over", Output{Stdout: []byte(`{"ok": true, "message": "fine"}`), Exit: exit(3)}, false, "fine"},
		{"no ok: the exit code", Output{Stdout: []byte(`{"message": "hm"}`), Exit: exit(1)}, false, "hm"},
		{"two objects are not one", Output{Stdout: []byte("{\"ok\":false}\n{\"ok\":false}")}, true, `{"ok":false}`},
		{"an array is not an object", Output{Stdout: []byte(`[{"ok":false}]`), Exit: exit(0)}, true, `[{"ok":false}]`},
		{"ok of the wrong type", Output{Stdout: []byte(`{"ok":"yes"}`), Exit: exit(2)}, false, `{"ok":"yes"}`},
		{"only stderr", Output{Stderr: []byte("Traceback\n  x\nKeyError: 'KEY'\n"), Exit: exit(1)}, false, "KeyError: 'KEY'"},
		{"silence, 0", Output{}, true, "exited with code 0"},
		{"silence, 7", Output{Exit: exit(7)}, false, "exited with code 7"},
		{"killed", Output{Exit: killed}, false, "ran out of memory and was killed"},
	} {
		ok, message := verdict(c.out)
		if ok != c.ok || message != c.message {
			t.Errorf("%s: got %v %q, want %v %q", c.why, ok, message, c.ok, c.message)
		}
	}
}
