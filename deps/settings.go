package deps

import (
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"majordomo/sandbox"
)

// settings are what npm or pip is configured to on this host, as far as it says where to fetch from and how.
type settings struct {
	registry string   // that it is known by, for a person and for Reachable; "" = none is used
	urls     []string // all it is configured to fetch from or through
	hosts    []string // host:port that its steps may reach
	private  []string // those that they may reach although private
	insecure bool     // it does not check certificates
	cas      []string // files of certificate authorities on the host
	proxy    string   // "" = as the environment says

	env    []string // variables for the steps that fetch
	secret []string // variables with credentials in them, never for a step that runs foreign code; npm has its credentials from logins
	logins []string // lines of the npmrc that only the steps that fetch see
	lent   []lent   // files that only those see
	certs  []clientCert
	hide   []string // what must not appear in messages
	mounts []sandbox.Mount
}

// clientCert are files of this host by which a registry knows who asks.
type clientCert struct {
	place     string // such as //host:port/path, as in npm's settings
	cert, key string
}

const hostFiles = "/root/.majordomo" // where files of the host are shown inside a build

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
	inside = filepath.Join(hostFiles, strconv.Itoa(len(s.mounts)), filepath.Base(real))
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
