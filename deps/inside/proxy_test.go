package inside_test

import (
	"maps"
	"testing"

	"majordomo/deps/inside"
)

// A proxy is passed on without its password, to those who may reach it and to nobody else.
func TestProxies(t *testing.T) {
	environ := []string{
		"PATH=/bin", "SECRET=x", "HTTPS_PROXY=http://u:s3cret@Proxy.test:3128/", "http_proxy=u:s3cret@proxy.test:3128", "ALL_PROXY=socks5://other.test:1080",
		"no_proxy=house.test",
	}
	bypass := "house.test,localhost,127.0.0.1,::1"
	want := map[string]string{"HTTPS_PROXY": "http://Proxy.test:3128", "http_proxy": "http://proxy.test:3128", "NO_PROXY": bypass, "no_proxy": bypass}
	if got := inside.Proxies(environ, []string{"nas.test:445", "proxy.test:3128"}); !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := inside.Proxies(environ, []string{"proxy.test:8080"}); len(got) > 0 {
		t.Errorf("one who may not reach it is told %q", got)
	}
	if got := inside.Proxies([]string{"HTTP_PROXY=", "HTTPS_PROXY=http://%zz", "NO_PROXY=x"}, []string{":80"}); len(got) > 0 {
		t.Errorf("no proxy at all: %q", got)
	}
}
