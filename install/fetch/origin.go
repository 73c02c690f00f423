package fetch

import (
	"fmt"
	"net/http"
	"net/netip"
	"syscall"
)

const maxRedirects = 5

// sameOrigin lets a server move a file about, but not send us to another one.
func sameOrigin(req *http.Request, via []*http.Request) error {
	first := via[0].URL
	if req.URL.Scheme != first.Scheme || req.URL.Host != first.Host {
		return unusable(fmt.Sprintf("it redirects to another origin, %s://%s", req.URL.Scheme, req.URL.Host))
	}
	if len(via) > maxRedirects {
		return unusable(fmt.Sprintf("it redirects more than %d times", maxRedirects))
	}
	return nil
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// loopbackOnly makes "localhost" mean it, whatever the resolver says.
func loopbackOnly(_, address string, _ syscall.RawConn) error {
	addr, err := netip.ParseAddrPort(address)
	if err != nil || !addr.Addr().Unmap().IsLoopback() {
		return fmt.Errorf("%s is not a loopback address, and plain http is for loopback only", address)
	}
	return nil
}
