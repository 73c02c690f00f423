package inside

import (
	"net"
	"net/url"
	"slices"
	"strings"
)

// proxyVariables are what HTTP clients look for, and NO_PROXY.
var proxyVariables = []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"}

// Proxies are the proxy variables of an environment for a connector that may reach the proxies: those that an admin granted it, by
// host:port. Nobody else is told of them, since a program that is told of a proxy it cannot reach fails where it could have gone
// without. User names and passwords are left out, and the connector's own loopback is never asked of a proxy.
func Proxies(environ, granted []string) map[string]string {
	all := map[string]string{}
	bypass := ""
	for _, v := range environ {
		name, value, _ := strings.Cut(v, "=")
		switch {
		case strings.EqualFold(name, "NO_PROXY"):
			bypass = value
		case slices.Contains(proxyVariables, name):
			if address, ok := grantedProxy(value, granted); ok {
				all[name] = address
			}
		}
	}
	if len(all) > 0 {
		bypass = strings.Trim(bypass+",localhost,127.0.0.1,::1", ",")
		all["NO_PROXY"], all["no_proxy"] = bypass, bypass
	}
	return all
}

// grantedProxy is the address of a proxy, which may be written without a scheme, and nothing else of what is there.
func grantedProxy(value string, granted []string) (address string, ok bool) {
	if !strings.Contains(value, "://") {
		value = "http://" + value
	}
	u, err := url.Parse(value)
	if err != nil || u.Hostname() == "" {
		return "", false
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	bare := url.URL{Scheme: u.Scheme, Host: u.Host}
	return bare.String(), slices.Contains(granted, net.JoinHostPort(strings.ToLower(u.Hostname()), port))
}
