package deps

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"sync"
	"time"

	"majordomo/sandbox/runtimes"
)

const patience = 5 * time.Second // for a registry to answer

// Reachable asks the registries that npm and pip are configured for whether they answer, from here, outside every
// sandbox: keys "npm" and "pip", nil = it answers. A tool that is missing is an error too. A registry has five seconds.
func (b *Builder) Reachable(ctx context.Context) map[string]error {
	var npm, pip error
	var both sync.WaitGroup
	both.Go(func() { npm = b.reachable(ctx, "npm", b.npmOutside) })
	both.Go(func() { pip = b.reachable(ctx, "pip", b.pipOutside) })
	both.Wait()
	return map[string]error{"npm": npm, "pip": pip}
}

// Hosts are those that a tool, "npm" or "pip", is configured to fetch from here: registries, and proxies in between. A build reaches
// no others but those of Options.Registries, and of dependencies that are addresses.
func (b *Builder) Hosts(ctx context.Context, tool string) ([]string, error) {
	configuration := b.npmOutside
	if tool == "pip" {
		configuration = b.pipOutside
	}
	found, err := b.o.Runtimes.Find(ctx, tool)
	if err != nil {
		return nil, err
	}
	s, err := configuration(ctx, found)
	if err != nil {
		return nil, fmt.Errorf("cannot read the configuration of %s: %w", tool, err)
	}
	var hosts []string
	for _, address := range s.urls {
		hosts = append(hosts, hostOf(address))
	}
	slices.Sort(hosts)
	return slices.Compact(hosts), nil
}

func (b *Builder) reachable(ctx context.Context, name string, configuration func(context.Context, runtimes.Runtime) (settings, error)) error {
	tool, err := b.o.Runtimes.Find(ctx, name)
	if err != nil {
		return err
	}
	s, err := configuration(ctx, tool)
	if err != nil {
		return fmt.Errorf("cannot read the configuration of %s: %w", name, err)
	}
	if s.registry == "" {
		return nil // it installs from local directories only
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return reach(ctx, s)
}

func hostOf(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return address
}
