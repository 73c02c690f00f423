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
	"strings"

	"golang.org/x/net/http/httpproxy"

	"majordomo/configs/humanize"
)

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
		return fmt.Errorf("cannot reach the registry %s: %w", hostOf(s.registry), humanize.Error(withoutURL(err)))
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

// withoutURL takes the address, and what secrets it has, out of an error.
func withoutURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}
