package supervisor

import (
	"os/exec"
	"strings"
	"testing"

	"majordomo/configs/manifest"
)

// A real shell gets the line, with values made to do harm in it.
func TestShellLine(t *testing.T) {
	form := []manifest.Env{{Name: "HOST"}, {Name: "KEY", Secret: true}, {Name: "not-a-variable"}}
	const host, key = `a b"; echo BROKEN; '$(echo BROKEN)`, "k*'\"`echo BROKEN`\\\nx"
	for _, c := range []struct{ command, want string }{
		{`printf '<%s>' {ENV:HOST} {SECRET:KEY}`, "<" + host + "><" + key + ">"},
		{`printf '<%s>' "{ENV:HOST}"`, "<" + host + ">"},
		{`printf '<%s>' "x {ENV:HOST} \" {SECRET:KEY}"`, "<x " + host + ` " ` + key + ">"},
		{`printf '<%s>' '{ENV:HOST}'`, "<" + host + ">"},
		{`printf '<%s>' 'a "{SECRET:KEY}"'`, `<a "` + key + `">`},
		{`printf '<%s>' pre{ENV:HOST}post`, "<pre" + host + "post>"},
		{`printf '<%s>' it\'s{ENV:HOST}`, "<it's" + host + ">"},
		{`printf '<%s>' {SECRET:HOST}{ENV:KEY}`, "<>"},                          // of the wrong kind
		{`printf '<%s>' {ENV:NOBODY}{ENV:not-a-variable}{ENV:}`, "<>"},          // of no field
		{`printf '<%s>' {ENV:HOST`, "<{ENV:HOST>"},                              // no placeholder
		{`printf '<%s>' "{other:HOST} ${HOST}"`, "<{other:HOST} " + host + ">"}, // the author's own reference
	} {
		line := shellLine(c.command, form)
		if strings.Contains(line, "BROKEN") {
			t.Errorf("%s: a value is in the line: %s", c.command, line)
		}
		cmd := exec.Command("sh", "-c", line)
		cmd.Env = []string{"PATH=/usr/bin:/bin", "HOST=" + host, "KEY=" + key}
		out, err := cmd.CombinedOutput()
		if err != nil || string(out) != c.want {
			t.Errorf("%s\n  became %s\n  printed %q (%v), want %q", c.command, line, out, err, c.want)
		}
	}
}
