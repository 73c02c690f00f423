package configs

import (
	"encoding/base64"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func none(string) string { return "" }

func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestDefaults(t *testing.T) {
	c, err := Load(Source{File: write(t, ""), Getenv: none})
	if err != nil {
		t.Fatal(err)
	}
	if c.Listen != "127.0.0.1:7717" || c.Deps.Timeout.Std() != 300*time.Second || c.Limits.Memory != 512<<20 {
		t.Errorf("defaults are %+v", c)
	}
	if !filepath.IsAbs(c.State) {
		t.Errorf("state is %q, want an absolute path", c.State)
	}
}

func TestPrecedence(t *testing.T) {
	file := write(t, "listen = \"127.0.0.1:1\"\n[feed]\nurl = \"/file\"\n")
	env := func(name string) string {
		return map[string]string{"MAJORDOMO_STATE": "/env/state", "MAJORDOMO_FEED": "/env/feed"}[name]
	}
	for _, tt := range []struct {
		name                string
		source              Source
		listen, feed, state string
	}{
		{"file", Source{File: file, State: "/flag", Getenv: none}, "127.0.0.1:1", "/file", "/flag"},
		{"environment over file", Source{File: file, Getenv: env}, "127.0.0.1:1", "/env/feed", "/env/state"},
		{"flag over environment", Source{File: file, State: "/s", Feed: "/f", Listen: "127.0.0.1:2", Getenv: env},
			"127.0.0.1:2", "/f", "/s"},
	} {
		c, err := Load(tt.source)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if c.Listen != tt.listen || c.Feed.URL != tt.feed || c.State != tt.state {
			t.Errorf("%s: got %q %q %q", tt.name, c.Listen, c.Feed.URL, c.State)
		}
	}
}

// Every wrong file says its line and its key, and everything that is wrong with it is said at once.
func TestWrongFiles(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"unknown key", "\nlissten = \"x\"\n", []string{`config.toml:2: unknown key "lissten"; did you mean "listen"?`}},
		{"unknown key in a table", "[feed]\nulr = \"a\"\n", []string{`config.toml:2: unknown key "feed.ulr"; did you mean "feed.url"?`}},
		{"unknown table, said once", "[fed]\nurl = \"a\"\n", []string{`config.toml:1: unknown key "fed"; did you mean "feed"?`}},
		{"dotted key", "sandbox.drivers = \"a\"\n", []string{`config.toml:1: unknown key "sandbox.drivers"`}},
		{"wrong type", "[limits]\npids = \"many\"\n", []string{`config.toml:2: key "limits.pids": want a whole number`}},
		{"a number for a text", "listen = 5\n", []string{`config.toml:1: key "listen": want a text in quotes`}},
		{"a number for a list", "[deps]\nregistries = 5\n", []string{`config.toml:2: key "deps.registries": want a list in brackets`}},
		{"a text for a switch", "[deps]\nscripts_network = \"yes\"\n", []string{`config.toml:2: key "deps.scripts_network": want true or false`}},
		{"a text for a number", "[limits]\ncpu = \"one\"\n", []string{`config.toml:2: key "limits.cpu": want a number`}},
		{"a value for a table", "limits = 3\n", []string{`config.toml:1: key "limits": want a table`}},
		{"not a duration", "[deps]\ntimeout = \"5\"\n", []string{`config.toml:2: key "deps.timeout": "5" is not a duration`}},
		{"not a size", "[limits]\nmemory = \"lots\"\n", []string{`config.toml:2: key "limits.memory": "lots" is not a size`}},
		{"not TOML", "listen\n", []string{"config.toml:1:"}},
		{"two unknown keys and a bad value", "a = 1\nb = 2\nlisten = \"x\"\n",
			[]string{`:1: unknown key "a"`, `:2: unknown key "b"`, `listen: "x" is not host:port`}},
		{"driver none without consent", "[sandbox]\ndriver = \"none\"\n", []string{"sandbox.driver: ", "sandbox.i_understand = true"}},
		{"containers of no image", "[sandbox]\ndriver = \"docker\"\n", []string{`sandbox.driver: "docker" runs connectors in containers of an image`}},
		{"another machine's engine", "[sandbox]\nengine = \"tcp://10.0.0.1:2375\"\n", []string{`sandbox.engine: "tcp://10.0.0.1:2375" is not unix://`}},
		{"unknown driver", "[sandbox]\ndriver = \"podman\"\n", []string{`sandbox.driver: "podman" is not a driver`}},
		{"unknown layer", "[sandbox]\nrequired = [\"seccomp\", \"magic\"]\n", []string{`sandbox.required: "magic" is not a layer`}},
		{"unknown network", "[sandbox]\nnetwork = \"open\"\n", []string{`sandbox.network: "open" is not one of enforced, unrestricted`}},
		{"uid of a person", "[sandbox]\nuid_base = 1000\n", []string{"sandbox.uid_base: 1000"}},
		{"plain http", "[feed]\nurl = \"http://feed.example\"\n", []string{"feed.url: ", "use https://"}},
		{"relative directory", "[feed]\nurl = \"feed\"\n", []string{"feed.url: ", "absolute directory"}},
		{"password in the address", "[feed]\nurl = \"https://u:hunter2@feed.example\"\n", []string{"feed.url: ", "xxxxx"}},
		{"half a key", "[feed]\npublic_key = \"RWQf6L\"\n", []string{"feed.public_key: ", "the line of minisign.pub"}},
		{"a key of another algorithm", "[feed]\npublic_key = \"" + key("XX") + "\"\n", []string{"feed.public_key: "}},
		{"only the comment of a key", "[feed]\npublic_key = \"untrusted comment: minisign public key 1\"\n", []string{"feed.public_key: "}},
		{"registry without port", "[deps]\nregistries = [\"npm.example\"]\n", []string{"deps.registries: "}},
		{"no disk for connectors", "[limits]\ndisk = \"1KiB\"\ndisk_files = 1\n", []string{"limits.disk: 1024 is less than", "limits.disk_files: 1 is less than"}},
		{"no disk", "[deps]\ndisk = \"1KiB\"\n", []string{"deps.disk: 1024 is less than"}},
		{"unknown scripts policy", "[deps]\nscripts = \"yes\"\n", []string{`config.toml:2: key "deps.scripts": "yes" is not a policy`}},
		{"an earlier scripts policy", "[deps]\n\nscripts = \"offline\"\n", []string{`config.toml:3: `, `use "allow", "deny" or a list`}},
		{"scripts of no package", "[deps]\nscripts = [\"sharp\", \"../x\"]\n", []string{`config.toml:2: key "deps.scripts": ../x is not the name`}},
		{"scripts of a number", "[deps]\nscripts = [7]\n", []string{`config.toml:2: `, `7 is not the name`}},
		{"scripts neither word nor list", "[deps]\nscripts = true\n", []string{`config.toml:2: `, `want "allow", "deny" or a list`}},
		{"network of scripts", "[deps]\nscripts_network = \"yes\"\n", []string{"config.toml:2: ", `"deps.scripts_network"`}},
		{"too little", "[limits]\nmemory = \"1MiB\"\npids = 1\ncpu = 0.0\n", []string{"limits.memory: ", "limits.pids: ", "limits.cpu: "}},
		{"too little for all of a member", "[limits]\nmember_memory = \"1MiB\"\nmember_pids = 1\nmember_cpu = -1.0\n", []string{"limits.member_memory: ", "limits.member_pids: ", "limits.member_cpu: "}},
		{"not a total", "[limits]\nmember_memory = \"none\"\n", []string{`config.toml:2: key "limits.member_memory": "none" is neither a size like "2GiB" nor 0`}},
		{"messages too short", "[limits]\nmessage = \"1KiB\"\n[limits.message_of]\nphotos = \"2KiB\"\n", []string{"limits.message: ", "limits.message_of: photos: "}},
		{"not a size of one", "[limits.message_of]\nphotos = \"lots\"\n", []string{`"limits.message_of.photos": "lots" is not a size`}},
	} {
		_, err := Load(Source{File: write(t, tt.text), Getenv: none})
		if err == nil {
			t.Errorf("%s: no error", tt.name)
			continue
		}
		for _, want := range tt.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %q, want %q in it", tt.name, err, want)
			}
		}
	}
}

func TestAcceptedValues(t *testing.T) {
	for _, text := range []string{
		"[sandbox]\ndriver = \"none\"\ni_understand = true\n",
		"[limits]\nmember_memory = 0\nmember_pids = 0\nmember_cpu = 0.0\n",
		"[limits]\nmember_memory = \"2GiB\"\nmember_pids = 64\nmember_cpu = 0.5\n",
		"[sandbox]\nnetwork = \"unrestricted\"\n",
		"[feed]\nurl = \"http://127.0.0.1:8080/feed\"\n",
		"[feed]\nurl = \"http://[::1]:8080/feed\"\n",
		"[feed]\nurl = \"https://feed.example/connectors\"\n",
		"[feed]\npublic_key = \"" + key("Ed") + "\"\n",
		"[feed]\npublic_key = \"\"\"untrusted comment: minisign public key 1\r\n" + key("Ed") + "\r\n\"\"\"\n",
		"listen = \"[::1]:0\"\n",
		"[limits]\nmemory = \"2GiB\"\n",
		"[limits]\nmemory = 268435456\n",
		"\ufefflisten = \"127.0.0.1:9\"\r\n[limits]\r\nidle = \"1h\"\r\n", // as an editor of another system saves it
		"[limits]\nmessage = \"1MiB\"\n[limits.message_of]\nphotos = \"64MiB\"\n",
	} {
		if _, err := Load(Source{File: write(t, text), Getenv: none}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// key has the form of a minisign public key.
func key(algorithm string) string {
	return base64.StdEncoding.EncodeToString([]byte(algorithm + "12345678" + strings.Repeat("k", 32)))
}

// A secret key in the wrong place is not repeated in a log.
func TestKeyIsNotEchoed(t *testing.T) {
	_, err := Load(Source{File: write(t, "[feed]\npublic_key = \"RWRTY0IyhunTER2\"\n"), Getenv: none})
	if err == nil || strings.Contains(err.Error(), "hunTER2") {
		t.Error(err)
	}
}

func TestMissingFile(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "no.toml")
	if _, err := Load(Source{File: missing, Getenv: none}); err == nil || !strings.Contains(err.Error(), missing) {
		t.Errorf("a file that was asked for and is missing: %v", err)
	}
	home := t.TempDir()
	env := func(name string) string { return map[string]string{"HOME": home}[name] }
	if err := readFile("", env, &Config{}); err != nil {
		t.Errorf("a default file that is missing: %v", err)
	}
}

func TestPlaces(t *testing.T) {
	env := func(name string) string {
		return map[string]string{"HOME": "/home/ann", "XDG_STATE_HOME": "/x/state", "XDG_CONFIG_HOME": "relative"}[name]
	}
	if got := defaultState(0, env); got != ServiceState {
		t.Errorf("state of root is %q", got)
	}
	if got := defaultState(1000, env); got != "/x/state/majordomo" {
		t.Errorf("state of a person is %q", got)
	}
	if got := defaultFile(1000, env); got != "/home/ann/.config/majordomo/config.toml" {
		t.Errorf("configuration of a person is %q", got)
	}
	nowhere := func(string) string { return "" }
	if state, file := defaultState(1000, nowhere), defaultFile(1000, nowhere); state != "" || file != "" {
		t.Errorf("without a home the state is %q and the configuration %q", state, file)
	}
	if got := (Paths{State: ServiceState}).Socket(); got != ServiceSocket {
		t.Errorf("socket of the service is %q", got)
	}
	if got := (Paths{State: "/s"}).ConnectorDir("ann", "notes"); got != "/s/homes/ann/.skald/mcp/notes" {
		t.Errorf("connector directory is %q", got)
	}
}

func TestExampleFeed(t *testing.T) {
	if _, err := fs.Stat(ExampleFeed(), "index.json"); err != nil {
		t.Error(err)
	}
}

// Whoever names something endless by mistake is told so, and soon.
func TestFileIsBounded(t *testing.T) {
	if _, err := Load(Source{File: "/dev/zero", State: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "is that a configuration file?") {
		t.Errorf("error %v", err)
	}
}
