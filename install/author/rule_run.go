package author

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"majordomo/configs/manifest"
)

// checkLaunchCommand: people read the one and machines run the other (guide §1c).
func checkLaunchCommand(s subject, n notes) {
	shown := s.manifest.str("launch_command")
	runs := strings.Join(append([]string{s.release.Command}, s.release.Args...), " ")
	if shown != "" && s.release.Source == manifest.SourceLocal && shown != runs {
		n.warn(inManifest("launch_command"), "write what mcp_config says, or leave it out", "it says %q but %q is what runs", shown, runs)
	}
}

// checkTransport: it may stand in two places, not with two meanings (guide §1c).
func checkTransport(s subject, n notes) {
	top, inner := s.manifest.str("transport"), s.manifest.str("mcp_config", "transport")
	if top != "" && inner != "" && top != inner {
		n.warn(inManifest("transport"), "say it in one place", "it is %q here and %q in mcp_config, which counts", top, inner)
	}
	if own, listed := cmp.Or(inner, top), s.fragment.str("transport"); listed != "" && listed != own {
		n.warn(inFragment("transport"), "say the same in both, or only in connector.json", "it is %q here and %q in %s, which counts", listed, own, manifest.Name)
	}
}

// checkRemote: a remote connector is an address and no code (guide §2).
func checkRemote(s subject, n notes) {
	if s.release.Source != manifest.SourceRemote {
		return
	}
	if u, err := url.Parse(s.release.URL); s.release.URL != "" && (err != nil || u.Host == "" || u.Scheme != "https" && !loopback(u)) {
		n.fail(inManifest("mcp_config.url"), "use an https:// address", "it is no address that keeps a key to itself")
	}
	for _, f := range s.files {
		if !f.HostOnly() && !(s.release.Verify != nil && f.Path == s.release.Verify.Script) {
			n.warn(place{f.Path, ""}, "take it out, or declare the connector as mcp_local", "no code of a remote connector is ever run")
		}
	}
}

func loopback(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback())
}

// checkPlacement: a personal sign-in and a household's shared process do not go
// together (guide §3).
func checkPlacement(s subject, n notes) {
	for _, key := range []string{"type", "scope"} {
		if !s.manifest.has(key) {
			n.warn(inManifest("%s", key), "say what it is", "there is none, so it is read as the answer that demands more authority")
		}
	}
	kind := s.release.Auth.Kind
	if s.release.Scope == manifest.ScopeGlobal && (kind == manifest.AuthQR || kind == manifest.AuthOAuth) {
		n.warn(inManifest("scope"), `use "user"`, "one process for the whole household would act with the account of whoever signs in")
	}
}

var (
	token    = regexp.MustCompile(`\{(ENV|SECRET):([^{}]*)\}`)
	oldToken = regexp.MustCompile(`\{env:[^{}]*\}|\{secrets\}`)
)

// checkPlaceholders: they are replaced in two places only, by names that the form
// knows (guide §4b).
func checkPlaceholders(s subject, n notes) {
	for _, key := range []string{"mcp_config", "verify"} {
		if old := oldToken.FindString(string(s.manifest.members[key])); old != "" {
			n.fail(inManifest("%s", key), "use {ENV:NAME} or {SECRET:NAME}", "%s is never replaced", old)
		}
	}
	config, _ := s.manifest.value("mcp_config").(map[string]any)
	for _, key := range sortedKeys(config) {
		if key != "url" && key != "env" { // form-legacy is about the latter
			n.misplaced("mcp_config."+key, config[key])
		}
	}
	s.checkTokens(n, inManifest("mcp_config.url"), s.release.URL, s.release.Auth.Kind == manifest.AuthAPIKey)
	if s.release.Verify != nil {
		s.checkTokens(n, inManifest("verify.command"), s.release.Verify.Command, false)
	}
	if strings.Contains(s.release.URL, "{key}") {
		n.warn(inManifest("mcp_config.url"), "use {SECRET:NAME} and an env[] field of that name", "{key} is the old way")
	}
}

// misplaced finds tokens where nothing replaces them.
func (n notes) misplaced(at string, v any) {
	switch v := v.(type) {
	case string:
		if found := token.FindString(v); found != "" {
			n.fail(inManifest("%s", at), "read the value from the environment", "%s is not replaced here, only in mcp_config.url and verify.command", found)
		}
	case []any:
		for i, item := range v {
			n.misplaced(fmt.Sprintf("%s[%d]", at, i), item)
		}
	case map[string]any:
		for _, key := range sortedKeys(v) {
			n.misplaced(at+"."+key, v[key])
		}
	}
}

func (s subject) checkTokens(n notes, at place, where string, keyed bool) {
	for _, m := range token.FindAllStringSubmatch(where, -1) {
		i := slices.IndexFunc(s.release.Env, func(e manifest.Env) bool { return e.Name == m[2] })
		switch {
		case i < 0 && keyed && m[1] == "SECRET":
		case i < 0:
			n.fail(at, "declare an env[] field of that name", "nothing will ever replace %s", m[0])
		case s.release.Env[i].Secret != (m[1] == "SECRET"):
			n.fail(at, "write {SECRET:NAME} for a field with \"secret\": true, and {ENV:NAME} for the others",
				"%s does not fit its field, which says secret: %v", m[0], s.release.Env[i].Secret)
		}
	}
}
