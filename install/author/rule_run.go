package author

import (
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
		if !f.HostOnly() {
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
	for i, arg := range s.release.Args {
		if found := token.FindString(arg); found != "" {
			n.fail(inManifest("mcp_config.args[%d]", i), "read the value from the environment", "%s is not replaced in arguments", found)
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

func (s subject) checkTokens(n notes, at place, where string, keyed bool) {
	for _, m := range token.FindAllStringSubmatch(where, -1) {
		known := slices.ContainsFunc(s.release.Env, func(e manifest.Env) bool { return e.Name == m[2] })
		if !known && !(keyed && m[1] == "SECRET") {
			n.fail(at, "declare an env[] field of that name", "nothing will ever replace %s", m[0])
		}
	}
}
