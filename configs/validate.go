package configs

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Layers are the names of the sandbox layers that sandbox.required may hold, in the order they are shown.
func Layers() []string {
	return strings.Fields("env fds session uid caps no_new_privs seccomp mount landlock pid ipc uts net egress memory pids cpu disk")
}

// Validate reports every value that cannot work, all at once, each by its key.
func (c Config) Validate() error {
	var problems []error
	for _, check := range []struct {
		key string
		run func(Config) error
	}{
		{"listen", checkListen},
		{"feed.url", func(c Config) error { return checkFeed(c.Feed.URL) }},
		{"feed.public_key", checkPublicKey},
		{"feed.ca_file", func(c Config) error { return checkAbs(c.Feed.CAFile) }},
		{"sandbox.driver", checkDriver},
		{"sandbox.engine", checkEngine},
		{"sandbox.required", checkRequired},
		{"sandbox.uid_base", checkUIDBase},
		{"deps.disk", func(c Config) error { return atLeast(float64(c.Deps.Disk), 1<<20) }},
		{"sandbox.network", checkNetwork},
		{"deps.registries", checkRegistries},
		{"limits.pids", func(c Config) error { return atLeast(float64(c.Limits.PIDs), 8) }},
		{"limits.cpu", func(c Config) error { return atLeast(c.Limits.CPU, 0.01) }},
		{"limits.instances", func(c Config) error { return atLeast(float64(c.Limits.Instances), 0) }},
		{"limits.member_instances", func(c Config) error { return atLeast(float64(c.Limits.MemberInstances), 0) }},
		{"limits.spawns_per_minute", func(c Config) error { return atLeast(float64(c.Limits.SpawnsPerMinute), 0) }},
		{"limits.member_memory", func(c Config) error { return noneOr(float64(c.Limits.MemberMemory), 16<<20) }},
		{"limits.member_pids", func(c Config) error { return noneOr(float64(c.Limits.MemberPIDs), 32) }},
		{"limits.member_cpu", func(c Config) error { return noneOr(c.Limits.MemberCPU, 0.01) }},
		{"limits.starts", func(c Config) error { return atLeast(float64(c.Limits.Starts), 0) }},
		{"limits.disk", func(c Config) error { return atLeast(float64(c.Limits.Disk), 1<<20) }},
		{"limits.disk_files", func(c Config) error { return atLeast(float64(c.Limits.DiskFiles), 100) }},
		{"limits.memory", func(c Config) error { return atLeast(float64(c.Limits.Memory), 16<<20) }},
		{"limits.message", func(c Config) error { return atLeast(float64(c.Limits.Message), 64<<10) }},
		{"limits.message_of", checkMessageOf},
	} {
		if err := check.run(c); err != nil {
			problems = append(problems, fmt.Errorf("cannot use the configuration: %s: %w", check.key, err))
		}
	}
	return errors.Join(problems...)
}

func checkMessageOf(c Config) error {
	var problems []error
	for id, size := range c.Limits.MessageOf {
		if err := atLeast(float64(size), 64<<10); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", id, err))
		}
	}
	return errors.Join(problems...)
}

func checkListen(c Config) error {
	_, port, err := net.SplitHostPort(c.Listen)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return fmt.Errorf("%q is not host:port", c.Listen)
	}
	return nil
}

func checkFeed(feed string) error {
	if feed == "" || filepath.IsAbs(feed) {
		return nil
	}
	u, err := url.Parse(feed)
	switch {
	case err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http"):
		return fmt.Errorf("%q is neither an https:// address nor an absolute directory", feed)
	case u.Scheme == "http" && !loopback(u.Hostname()):
		return fmt.Errorf("%q: plain http is for this machine only; use https://", feed)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("%q may not carry a user, a query or a fragment", u.Redacted())
	}
	return nil
}

func checkPublicKey(c Config) error {
	_, err := c.Feed.Key()
	return err
}

func loopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || (err == nil && addr.IsLoopback())
}

func checkAbs(path string) error {
	if path != "" && !filepath.IsAbs(path) {
		return fmt.Errorf("%q is not an absolute path", path)
	}
	return nil
}

func checkDriver(c Config) error {
	switch {
	case c.Sandbox.Driver == "native":
		return nil
	case c.Sandbox.Driver == "docker" && c.Sandbox.Image == "":
		return errors.New("\"docker\" runs connectors in containers of an image; name one with node and python in sandbox.image, such as the one that ./scripts/image builds")
	case c.Sandbox.Driver == "docker":
		return nil
	case c.Sandbox.Driver != "none":
		return fmt.Errorf("%q is not a driver; use \"native\", \"docker\" or \"none\"", c.Sandbox.Driver)
	case !c.Sandbox.IUnderstand:
		return errors.New("\"none\" runs connectors unconfined; set sandbox.i_understand = true if you want that")
	}
	return nil
}

// checkEngine: a connector is shown directories of this machine, which another one's Engine does not have.
func checkEngine(c Config) error {
	path, unix := strings.CutPrefix(c.Sandbox.Engine, "unix://")
	if c.Sandbox.Engine != "" && (!unix || !filepath.IsAbs(path)) {
		return fmt.Errorf("%q is not unix:// and the absolute path of a socket of this machine", c.Sandbox.Engine)
	}
	return nil
}

func checkRequired(c Config) error {
	for _, layer := range c.Sandbox.Required {
		if !slices.Contains(Layers(), layer) {
			return fmt.Errorf("%q is not a layer; layers are %s", layer, strings.Join(Layers(), " "))
		}
	}
	return nil
}

// checkUIDBase keeps activations away from people and system services, and inside a 31-bit uid.
func checkUIDBase(c Config) error {
	if base := c.Sandbox.UIDBase; base != 0 && (base < 1<<16 || base > 1<<31-1<<20) {
		return fmt.Errorf("%d is not in %d…%d", base, 1<<16, 1<<31-1<<20)
	}
	return nil
}

func checkNetwork(c Config) error {
	if !slices.Contains([]string{"enforced", "unrestricted"}, c.Sandbox.Network) {
		return fmt.Errorf("%q is not one of enforced, unrestricted", c.Sandbox.Network)
	}
	return nil
}

func checkRegistries(c Config) error {
	for _, r := range c.Deps.Registries {
		host, port, err := net.SplitHostPort(r)
		if _, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil || host == "" {
			return fmt.Errorf("%q is not host:port", r)
		}
	}
	return nil
}

// noneOr takes 0 for no limit at all.
func noneOr(value, least float64) error {
	if value == 0 {
		return nil
	}
	return atLeast(value, least)
}

func atLeast(value, least float64) error {
	if value < least {
		return fmt.Errorf("%g is less than %g", value, least)
	}
	return nil
}
