package deps

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"majordomo/sandbox/runtimes"
)

// outside is what this host's npm and pip are configured to fetch from, read outside every sandbox so that a build sees
// just that: nothing else of the configuration, and no credential in a step that runs foreign code.
type outside struct {
	npm, pip settings
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

// toolOfHost is the tool whose configuration counts for the one that installs.
func (b *Builder) toolOfHost(ctx context.Context, tool runtimes.Runtime) (runtimes.Runtime, error) {
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
