package inside_test

import (
	"slices"
	"testing"

	"majordomo/configs"
	"majordomo/configs/manifest"
	"majordomo/deps"
	"majordomo/deps/inside"
	"majordomo/sandbox"
	"majordomo/sandbox/runtimes"
)

func mail() inside.Connector {
	return inside.Connector{
		Paths: configs.Paths{State: "/state"}, Member: "ann", Name: "post", Package: "/state/connectors/mail",
		Release: manifest.Release{
			ID: "mail", Args: []string{"server.py", "--flag", "two words"}, Mounts: []string{manifest.MountFiles},
			Files: []manifest.File{{Path: "connector.json"}, {Path: "icon_sm.svg"}, {Path: "lib/a.py"}, {Path: "server.py"}},
		},
		Tree:    deps.Tree{NodeModules: "/tree/node_modules", PyDeps: "/tree/.pydeps"},
		Runtime: runtimes.Runtime{Path: "/opt/py/bin/python3", Args: []string{"-u"}},
		Memory:  100 << 20,
	}
}

// What is shipped and what is installed is read-only; what belongs to the member is found beneath
// the homes only; and what is for the host alone is not there.
func TestMounts(t *testing.T) {
	const dir = "/root/.skald/mcp/post"
	want := []sandbox.Mount{
		{Source: "/state/guard", Target: "/run/majordomo"},
		{Source: "ann/.skald/mcp/post", Beneath: "/state/homes", Target: dir, Writable: true, Counted: true},
		{Source: "/state/connectors/mail/lib/a.py", Target: dir + "/lib/a.py"},
		{Source: "/state/connectors/mail/server.py", Target: dir + "/server.py"},
		{Source: "/tree/.pydeps", Target: dir + "/.pydeps"},
		{Source: "/tree/node_modules", Target: dir + "/node_modules"},
		{Source: "ann/files", Beneath: "/state/homes", Target: "/root/files", Writable: true},
	}
	if got := mail().Mounts(); !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	c := mail()
	c.Tree, c.Release.Mounts = deps.Tree{}, nil
	if got := c.Mounts(); len(got) != 4 {
		t.Errorf("without trees and files: %+v", got)
	}
}

func TestCommandAndEnvironment(t *testing.T) {
	t.Setenv("DAEMON_SECRET", "must not show")
	argv := []string{"/opt/py/bin/python3", "-u", "/root/.skald/mcp/post/server.py", "--flag", "two words"}
	if got := mail().Argv(); !slices.Equal(got, argv) {
		t.Errorf("%q", got)
	}
	want := []string{
		"GREETING=hi there", "HOME=/root", "LANG=C.UTF-8", "NODE_OPTIONS=--max-old-space-size=70 --require \"/run/majordomo/node/guard.cjs\"",
		"PATH=/opt/py/bin:/usr/local/bin:/usr/bin:/bin", "PYTHONPATH=elsewhere", "PYTHONUNBUFFERED=1", "PYTHONUTF8=1",
	}
	if got := mail().Env(map[string]string{"GREETING": "hi there", "PYTHONPATH": "elsewhere"}); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for memory, heap := range map[int64]string{0: "358", 1: "32"} {
		c := mail()
		c.Memory = memory
		if got := c.Env(nil); !slices.Contains(got, "NODE_OPTIONS=--max-old-space-size="+heap+" --require \"/run/majordomo/node/guard.cjs\"") {
			t.Errorf("with %d bytes: %q", memory, got)
		}
	}
}
