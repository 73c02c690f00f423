package declared

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

func spelled(versions map[string]string) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(versions)) {
		all = append(all, name+"="+versions[name])
	}
	return strings.Join(all, " ")
}

func TestLockedVersions(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"since npm 7": {`{"lockfileVersion":3,"packages":{"":{"name":"x"},
			"node_modules/a":{"version":"1.2.0"},"node_modules/@s/b":{"version":"2.0.0"},
			"node_modules/a/node_modules/c":{"version":"1.0.0"},"node_modules/c":{"version":"3.0.0"},
			"node_modules/lint":{"version":"9.0.0","dev":true},"node_modules/here":{"link":true},"here":{"version":"1"}}}`,
			"@s/b=2.0.0 a=1.2.0 c=1.0.0, 3.0.0"},
		"before": {`{"dependencies":{"a":{"version":"1.1.0","dependencies":{"c":{"version":"1"}}},"lint":{"version":"9","dev":true}}}`, "a=1.1.0 c=1"},
		"both":   {`{"packages":{"node_modules/a":{"version":"2"}},"dependencies":{"a":{"version":"1"}}}`, "a=2"},
		"null":   {"\ufeffnull", ""},
	} {
		lock, err := ParseLockfile([]byte(c.text))
		if got := spelled(lock.Versions()); err != nil || got != c.want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, c.want)
		}
	}
}

func TestAddressed(t *testing.T) {
	for resolved, want := range map[string]bool{"": false, "file:x": false, "https://registry.test/a/-/a-1.tgz": true} {
		lock, err := ParseLockfile(fmt.Appendf(nil, `{"packages":{"node_modules/a":{"resolved":%q}}}`, resolved))
		if err != nil || lock.Addressed() != want {
			t.Errorf("%q: %v, %v", resolved, lock.Addressed(), err)
		}
	}
}

// An address goes only where a digest says which bytes are meant.
func TestWithoutAddresses(t *testing.T) {
	const lock = `{"packages":{"node_modules/a":{"integrity":"sha512-x","resolved":"%[1]s","size":12345678901234567890},` +
		`"node_modules/b":{"resolved":"%[1]s"}},"dependencies":{"a":{"dependencies":{"c":{"integrity":"sha512-y","resolved":"%[1]s"}}}}}`
	foreign := func(address string) string {
		if strings.HasPrefix(address, "https://far.test/") {
			return "far.test"
		}
		return ""
	}
	text, hosts := WithoutAddresses(fmt.Appendf(nil, lock, "https://far.test/x"), foreign)
	want := `{"dependencies":{"a":{"dependencies":{"c":{"integrity":"sha512-y"}}}},"packages":{"node_modules/a":{"integrity":"sha512-x",` +
		`"size":12345678901234567890},"node_modules/b":{"resolved":"https://far.test/x"}}}`
	if !slices.Equal(hosts, []string{"far.test"}) || string(text) != want {
		t.Errorf("%v\n%s", hosts, text)
	}
	for _, same := range []string{fmt.Sprintf(lock, "https://near.test/x"), "{"} {
		if text, hosts := WithoutAddresses([]byte(same), foreign); len(hosts) != 0 || string(text) != same {
			t.Errorf("%v %s", hosts, text)
		}
	}
}

func TestSpecs(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"package.json": {`{"dependencies":{"a":"^1","b":"somebody/b"},"devDependencies":{"c":"git+https://host.test/c"},"overrides":{"d":{"e":"npm:f@1"}}}`,
			"git+https://host.test/c npm:f@1 somebody/b"},
		"a lockfile":     {`{"packages":{"node_modules/a":{"resolved":"https://host.test/a","dependencies":{"b":"x/b"}}}}`, "x/b"},
		"an older one":   {`{"dependencies":{"a":{"version":"https://host.test/a","resolved":"https://host.test/r","requires":{"b":"x/b"}}}}`, "https://host.test/a x/b"},
		"that is broken": {`{`, ""},
	} {
		if got := strings.Join(Specs([]byte(c.text)), " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
