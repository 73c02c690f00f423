package deps

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"majordomo/sandbox"
	"majordomo/sandbox/runtimes"
)

// outside is what this host's npm and pip are configured to fetch from, read outside every sandbox so that a build sees
// just that: nothing else of the configuration, and no credential in a step that runs foreign code.
type outside struct {
	npm, pip settings
}

// settings are one tool's.
type settings struct {
	registry string   // that it is known by, for a person and for Reachable; "" = none is used
	urls     []string // all it is configured to fetch from or through
	hosts    []string // host:port that its steps may reach
	private  []string // those that they may reach although private
	insecure bool     // it does not check certificates
	cas      []string // files of certificate authorities on the host
	proxy    string   // "" = as the environment says

	env    []string // for steps that fetch
	secret []string // likewise, never for a step that runs foreign code; npm has these from logins instead
	logins []string // likewise: lines of a configuration file
	lent   []lent   // likewise: files
	certs  []clientCert
	hide   []string // what must not appear in messages
	mounts []sandbox.Mount
}

// clientCert are files of this host by which a registry knows who asks.
type clientCert struct {
	place     string // such as //host:port/path, as in npm's settings
	cert, key string
}

const shelf = "/root/.majordomo" // where files of the host are shown inside a build

// show shows a file or directory of the host inside the build, read-only, and returns its path there.
func (s *settings) show(host string) (inside string, ok bool) {
	real, err := filepath.EvalSymlinks(host)
	if err != nil || !filepath.IsAbs(host) {
		return "", false
	}
	for _, m := range s.mounts {
		if m.Source == real {
			return m.Target, true
		}
	}
	inside = filepath.Join(shelf, strconv.Itoa(len(s.mounts)), filepath.Base(real))
	s.mounts = append(s.mounts, sandbox.Mount{Source: real, Target: inside})
	return inside, true
}

// fetchFrom notes an address, and hides the password in it.
func (s *settings) fetchFrom(address string) (credentials bool) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return false
	}
	s.urls = append(s.urls, address)
	if password, has := u.User.Password(); has {
		s.hide = append(s.hide, password, url.QueryEscape(password))
	}
	return u.User != nil
}

// fetchVia notes a proxy, which may be written without a scheme.
func (s *settings) fetchVia(proxy string) (credentials bool) {
	if !strings.Contains(proxy, "://") {
		proxy = "http://" + proxy
	}
	return s.fetchFrom(proxy)
}

// put adds a variable, where the values of secrets are kept apart.
func (s *settings) put(name, value string, secret bool) {
	if secret {
		s.secret = append(s.secret, name+"="+value)
	} else {
		s.env = append(s.env, name+"="+value)
	}
}

// askOutside reads the configuration of the tools that the build needs.
func (j *job) askOutside(ctx context.Context) (err error) {
	if j.plan.wantsNPM() {
		if j.outside.npm, err = j.npmOutside(ctx, j.plan.npm); err != nil {
			return fmt.Errorf("cannot read npm's configuration: %w", err)
		}
		j.allow(ctx, &j.outside.npm, j.npmAddresses(ctx))
	}
	if j.plan.wantsPip() {
		if j.outside.pip, err = j.pipOutside(ctx, j.plan.pip); err != nil {
			return fmt.Errorf("cannot read pip's configuration: %w", err)
		}
		j.allow(ctx, &j.outside.pip, j.pipAddresses())
	}
	return nil
}

// environment passes on what every HTTP client goes by: proxies, and files of certificate authorities.
func (b *Builder) environment(s *settings) {
	for _, name := range []string{"http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"} {
		if value := b.getenv(name); value != "" {
			s.put(name, value, s.fetchVia(value))
		}
	}
	for _, name := range []string{"no_proxy", "NO_PROXY"} {
		if value := b.getenv(name); value != "" {
			s.put(name, value, false)
		}
	}
	for _, name := range []string{"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"} {
		b.trust(s, name, b.getenv(name))
	}
}

// trust shows a file of certificate authorities inside, and names it there. One that only its owner can read is lent.
func (b *Builder) trust(s *settings, name, file string) {
	inside, ok := s.show(file)
	if info, err := os.Stat(file); ok && err == nil && info.Mode()&0o004 == 0 {
		inside, ok = s.lend(file)
	}
	if ok {
		s.cas = append(s.cas, file)
		s.put(name, inside, false)
	}
}

// getenv looks up a variable of the environment the Builder was given; the last one counts.
func (b *Builder) getenv(name string) string {
	for _, v := range slices.Backward(b.o.Environ) {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// ask runs a tool outside the sandbox, in the root directory where no connector has left anything, and reads its JSON.
func (b *Builder) ask(ctx context.Context, argv []string, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = "/", b.o.Environ, &out, &errs, time.Second
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(errs.String()))
	}
	return json.Unmarshal(out.Bytes(), answer)
}

// here is the tool whose configuration counts for the one that installs.
func (b *Builder) here(ctx context.Context, tool runtimes.Runtime) (runtimes.Runtime, error) {
	if b.o.Outside == nil {
		return tool, nil
	}
	found, err := b.o.Outside.Find(ctx, tool.Name)
	if err != nil {
		return found, fmt.Errorf("the configuration of this machine's %s says where to fetch from, also for containers: %w", tool.Name, err)
	}
	return found, nil
}

func asRoot() bool { return os.Getuid() == 0 }
