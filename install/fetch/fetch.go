// Package fetch reads one named file from a feed: a directory, or an https base
// URL. It is where everything that a hostile or broken server can do to us is
// stopped: unbounded bodies, redirects to elsewhere, compressed replies, error
// pages served as documents, servers that never finish.
//
// It must never decide what a document means, never write anywhere but to the
// writer it was given, and never follow a redirect to another origin. It starts
// no goroutines; a Source is safe for concurrent use.
package fetch

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"majordomo/configs/manifest"
)

// Timeout is the default ceiling of one request, from dialling to the last byte.
const Timeout = 20 * time.Second

// Options of Open. The zero value works.
type Options struct {
	CAFile  string        // PEM certificates trusted in addition to the system's
	Timeout time.Duration // of one request; 0 means Timeout
	Agent   string        // User-Agent; "" means "majordomo"
}

// Source is an opened feed location.
type Source struct {
	base   string // as a person may see it: no password
	opener opener
}

// opener starts reading one file. size is -1 when the server does not say.
type opener interface {
	open(ctx context.Context, name string) (body io.ReadCloser, size int64, err error)
}

// Open checks base and prepares to read from it; it touches neither disk nor
// network, except for the CA file. base is a directory, an https:// URL, or an
// http:// URL on loopback. Anything else is a manifest.Refusal.
func Open(base string, o Options) (*Source, error) {
	if base == "" {
		return nil, refuse(base, "no feed is configured", "set [feed] url in config.toml, --feed or MAJORDOMO_FEED")
	}
	if !strings.Contains(base, "://") {
		abs, err := filepath.Abs(base)
		if err != nil {
			return nil, fmt.Errorf("cannot use feed %s: %w", base, err)
		}
		return &Source{base: abs, opener: directory(abs)}, nil
	}
	u, err := parseBase(base)
	if err != nil {
		return nil, err
	}
	w, err := newWeb(u, o)
	if err != nil {
		return nil, err
	}
	return &Source{base: u.Redacted(), opener: w}, nil
}

// String is the base, fit to be shown: a password in it is masked.
func (s *Source) String() string { return s.base }

func parseBase(base string) (*url.URL, error) {
	u, err := url.Parse(base)
	if err != nil {
		// The error of url.Parse repeats the text, which may hold a password.
		return nil, refuse("the given URL", "it is not a URL", "write https://host/path or a directory")
	}
	switch {
	case u.RawQuery != "" || u.Fragment != "":
		return nil, refuse(u.Redacted(), "a feed URL has no ? or # part", "leave it out")
	case u.Host == "":
		return nil, refuse(u.Redacted(), "it names no host", "write https://host/path or a plain directory")
	case u.Scheme == "https", u.Scheme == "http" && isLoopback(u.Hostname()):
		return u, nil
	case u.Scheme == "http":
		return nil, refuse(u.Redacted(), "plain http lets anyone on the way change it", "use https://, or a local directory")
	}
	return nil, refuse(u.Redacted(), u.Scheme+":// is not supported", "use https://, or a local directory")
}

func refuse(base, why, hint string) error {
	if base == "" {
		return &manifest.Refusal{What: "read the feed", Why: why, Hint: hint}
	}
	return &manifest.Refusal{What: "use feed " + base, Why: why, Hint: hint}
}
