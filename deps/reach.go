package deps

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/http/httpproxy"

	"majordomo/configs/plainly"
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

// reach asks the registry for nothing but an answer, by the way that the tool would take. Being refused is one: the
// daemon has none of the credentials.
func reach(ctx context.Context, s settings) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodHead, s.registry, nil)
	if err != nil {
		return err
	}
	request.URL.User = nil
	transport := &http.Transport{Proxy: s.proxyFor, TLSClientConfig: s.tls(), DisableKeepAlives: true}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return fmt.Errorf("cannot reach the registry %s: %w", hostOf(s.registry), plainly.Said(withoutURL(err)))
	}
	response.Body.Close()
	if response.StatusCode >= 500 {
		return fmt.Errorf("cannot use the registry %s: it answers %s", hostOf(s.registry), response.Status)
	}
	return nil
}

// proxyFor goes by the tool's own setting, then by the variables it was given.
func (s settings) proxyFor(r *http.Request) (*url.URL, error) {
	vars := map[string]string{}
	for _, v := range append(s.env, s.secret...) {
		name, value, _ := strings.Cut(v, "=")
		vars[strings.ToLower(name)] = value
	}
	config := httpproxy.Config{
		HTTPProxy:  cmp.Or(s.proxy, vars["http_proxy"], vars["all_proxy"]),
		HTTPSProxy: cmp.Or(s.proxy, vars["https_proxy"], vars["all_proxy"]),
		NoProxy:    vars["no_proxy"],
	}
	return config.ProxyFunc()(r.URL)
}

func (s settings) tls() *tls.Config {
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	for _, file := range s.cas {
		if pem, err := os.ReadFile(file); err == nil {
			pool.AppendCertsFromPEM(pem)
		}
	}
	return &tls.Config{RootCAs: pool, Certificates: s.identity(), InsecureSkipVerify: s.insecure} //nolint:gosec // as configured for the tool
}

// identity is by what the registry knows who asks.
func (s settings) identity() (all []tls.Certificate) {
	for _, c := range s.certs {
		if c.place != "" && !strings.HasPrefix(c.place, "//"+hostOf(s.registry)+"/") {
			continue
		}
		if pair, err := tls.LoadX509KeyPair(c.cert, c.key); err == nil {
			all = append(all, pair)
		}
	}
	return all
}

func hostOf(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return address
}

// withoutURL takes the address, and what secrets it has, out of an error.
func withoutURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}
