package deps

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"majordomo/deps/declared"
)

// npmCI runs npm ci. A lockfile says what its publisher tested, so two of its ways to fail are overcome without leaving
// what it says: peers that its publisher had accepted, and addresses that only its publisher can reach.
func (j *job) npmCI(ctx context.Context, ci step) (result, error) {
	r, err := j.runPastCache(ctx, ci)
	if err == nil && r.says("ERESOLVE") {
		j.warn("package-lock.json has packages whose peers exclude each other; it was followed as it is")
		ci.args = append(slices.Clone(ci.args), "--legacy-peer-deps")
		r, err = j.runPastCache(ctx, ci)
	}
	if err == nil && !r.ok() && (unanswered(r) || r.says("code E40")) {
		hosts, forgetErr := j.forgetAddresses()
		if forgetErr != nil || len(hosts) == 0 {
			return r, forgetErr
		}
		j.warn("package-lock.json takes files from %s, which this host has not configured and could not get them from: the same bytes, by their "+
			"digests, were asked of the configured registry", strings.Join(hosts, ", "))
		r, err = j.runPastCache(ctx, ci)
	}
	return r, err
}

// forgetAddresses takes the addresses of other registries out of the build's copy of the lockfile, where a digest says which bytes
// are meant, and returns their hosts.
func (j *job) forgetAddresses() (hosts []string, err error) {
	root, err := os.OpenRoot(j.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for _, name := range declared.Lockfiles { // npm takes the first
		text, err := root.ReadFile(name)
		if err != nil {
			continue
		}
		text, hosts = declared.WithoutAddresses(text, func(address string) string { return foreign(address, j.outside.npm.hosts) })
		if len(hosts) == 0 {
			return nil, nil
		}
		return hosts, root.WriteFile(name, text, 0o600)
	}
	return nil, nil
}

// foreign is the host of a registry's file, if it is none of the known host:ports.
func foreign(address string, known []string) string {
	u, err := url.Parse(address)
	if err != nil || !strings.HasPrefix(u.Scheme, "http") || !strings.Contains(u.Path, "/-/") {
		return ""
	}
	if at := hostPorts([]string{address}); len(at) == 0 || slices.Contains(known, at[0]) {
		return ""
	}
	return u.Host
}

// misfit is why npm ci would not go by the lockfile.
func misfit(r result) string {
	if r.says("can only install with an existing package-lock.json") {
		return "is damaged"
	}
	return "does not fit package.json"
}

// drift is what npm ci found first.
func drift(r result) string {
	for _, line := range r.lines {
		for _, word := range []string{"Missing: ", "Invalid: "} {
			if _, rest, found := strings.Cut(line, word); found {
				return fmt.Sprintf(" (%s%s)", strings.ToLower(word), rest)
			}
		}
	}
	return ""
}

// otherLock names the lockfile of another tool, whose versions npm does not read.
func (j *job) otherLock() string {
	for _, name := range []string{"yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb"} {
		if _, err := os.Lstat(filepath.Join(j.dir, name)); err == nil {
			return ", and npm does not read " + name
		}
	}
	return ""
}
