package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// web is a feed behind a URL.
type web struct {
	base    *url.URL
	client  *http.Client
	agent   string
	timeout time.Duration
}

func newWeb(base *url.URL, o Options) (*web, error) {
	transport := &http.Transport{
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    8,
		MaxResponseHeaderBytes: 64 << 10,
		IdleConnTimeout:        30 * time.Second,
	}
	if base.Scheme == "http" {
		transport.DialContext = (&net.Dialer{Control: loopbackOnly}).DialContext
	} else {
		transport.Proxy = http.ProxyFromEnvironment
	}
	if o.CAFile != "" {
		roots, err := withExtra(o.CAFile)
		if err != nil {
			return nil, err
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: roots}
	}
	w := &web{base: base, agent: o.Agent, timeout: o.Timeout}
	if w.agent == "" {
		w.agent = "majordomo"
	}
	if w.timeout == 0 {
		w.timeout = Timeout
	}
	w.client = &http.Client{Transport: transport, CheckRedirect: sameOrigin}
	return w, nil
}

func (w *web) open(ctx context.Context, name string) (io.ReadCloser, int64, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, w.timeout, fmt.Errorf("no complete answer within %s", w.timeout))
	resp, err := w.get(ctx, name)
	if err != nil {
		err = cause(ctx, err)
		cancel()
		return nil, 0, err
	}
	return &body{ReadCloser: resp.Body, ctx: ctx, cancel: cancel}, resp.ContentLength, nil
}

func (w *web) get(ctx context.Context, name string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.base.JoinPath(escaped(name)).String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", w.agent)
	// Digests are over the bytes as served; asking also keeps net/http from unzipping.
	req.Header.Set("Accept-Encoding", "identity")
	resp, err := w.client.Do(req)
	if err != nil {
		return nil, err
	}
	if err := acceptable(resp); err != nil {
		resp.Body.Close()
		return nil, err
	}
	return resp, nil
}

// escaped keeps a % in a file name from being read as an escape.
func escaped(name string) string {
	parts := strings.Split(name, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}

// acceptable refuses everything but a plain 200.
func acceptable(resp *http.Response) error {
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound, http.StatusGone:
		return absent(fmt.Sprintf("the server answered %q", resp.Status))
	default:
		return fmt.Errorf("the server answered %q", resp.Status)
	}
	if enc := resp.Header.Get("Content-Encoding"); enc != "" && enc != "identity" {
		return unusable(fmt.Sprintf("the server compressed it (%.20q) although asked not to, so its digest cannot be checked", enc))
	}
	return nil
}

// absent is a server's word that there is no such file: fs.ErrNotExist, like
// that of a directory.
type absent string

func (a absent) Error() string        { return string(a) }
func (a absent) Is(target error) bool { return target == fs.ErrNotExist }

func withExtra(file string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("cannot read feed.ca_file: %w", err)
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(pem) {
		return nil, refuse("", "feed.ca_file "+file+" holds no PEM certificate", "give a file with BEGIN CERTIFICATE blocks")
	}
	return roots, nil
}
