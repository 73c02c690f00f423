package author

import (
	"regexp"
	"slices"
	"strings"

	"majordomo/configs/manifest"
	"majordomo/deps/declared"
)

// checkAuthType: an auth that is not said is guessed from requires (guide §1e, §4a).
func checkAuthType(s subject, n notes) {
	if s.manifest.str("auth", "type") == "" {
		n.warn(inManifest("auth.type"), "say none, api_key, oauth2, qr or ssh_key", "there is none, so it is guessed from requires")
	}
	if d := s.release.Auth.Delivery; d != "" && !slices.Contains([]string{"header", "query", "env"}, d) {
		n.warn(inManifest("auth.delivery"), "use header, query or env", "%q is unknown", d)
	}
}

// checkAPIKey: a key reaches a local connector through its form only (guide §4a).
func checkAPIKey(s subject, n notes) {
	if s.release.Auth.Kind == manifest.AuthAPIKey && s.release.Source == manifest.SourceLocal && len(s.release.Env) == 0 {
		n.fail(inManifest("env"), "declare the key as a secret env[] field", "auth.type is api_key and there is no field to give the key in")
	}
	routed := token.MatchString(s.release.URL) || strings.Contains(s.release.URL, "{key}")
	if s.release.Source == manifest.SourceRemote && s.release.Auth.Delivery == "query" && s.release.URL != "" && !routed {
		n.warn(inManifest("mcp_config.url"), "put {SECRET:NAME} where the key belongs", "auth.delivery is query, and nothing in the address takes the key there")
	}
}

// checkOAuth: provider, scopes and where the credential goes (guide §4c).
func checkOAuth(s subject, n notes) {
	a := s.release.Auth
	if a.Kind != manifest.AuthOAuth {
		return
	}
	if a.Provider == "" {
		n.fail(inManifest("auth.provider"), `name the provider, such as "google"`, "there is none to sign in at")
	}
	if len(a.Scopes) == 0 {
		n.warn(inManifest("auth.scopes"), "list what the connector needs, and no more", "there are none to consent to")
	}
	if a.Deliver.As != "env" {
		n.fail(inManifest("auth.deliver.as"), `use "env"`, "%q is not implemented anywhere, only env is", a.Deliver.As)
	}
	if !slices.Contains([]string{"google_authorized_user", "refresh_token"}, a.Deliver.Format) {
		n.fail(inManifest("auth.deliver.format"), "use google_authorized_user or refresh_token", "%q is unknown", a.Deliver.Format)
	}
	if !envName.MatchString(a.Deliver.Env) {
		n.fail(inManifest("auth.deliver.env"), "name the variable that the server reads", "%q cannot be the name of an environment variable", a.Deliver.Env)
		return
	}
	legacy, _ := member(s.manifest.value("mcp_config"), "env").(map[string]any)
	_, declared := legacy[a.Deliver.Env]
	if declared || slices.ContainsFunc(s.release.Env, func(e manifest.Env) bool { return e.Name == a.Deliver.Env }) {
		n.fail(inManifest("auth.deliver.env"), "take it out of env[] and mcp_config.env", "%s is given at the start and cannot be a form field too", a.Deliver.Env)
	}
}

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func checkFormLabels(s subject, n notes) {
	for i, e := range s.manifest.list("env") {
		for _, key := range []string{"label", "description"} {
			if text(e, key) == "" {
				n.warn(inManifest("env[%d].%s", i, key), "say what to enter and where to find it", "there is none to show in the form")
			}
		}
	}
}

func checkFormDefaults(s subject, n notes) {
	for i, e := range s.manifest.list("env") {
		if required, _ := member(e, "required").(bool); required && text(e, "default") != "" {
			n.warn(inManifest("env[%d].default", i), "remove it, or make the field optional; show a sample in example", "a field that must be filled in has no default")
		}
	}
}

var (
	secretName = regexp.MustCompile(`(?i)(password|passwd|secret|token|api_?key)$|(^|_)(pass|key|credentials?)$`)
	publicName = regexp.MustCompile(`(?i)(public|site)_?key$`)
)

func checkFormSecrets(s subject, n notes) {
	for i, e := range s.release.Env {
		if secretName.MatchString(e.Name) && !publicName.MatchString(e.Name) && !e.Secret && !s.manifest.empty("env") {
			n.warn(inManifest("env[%d].secret", i), `set "secret": true`, "%s sounds like a secret and would be shown and stored in the clear", e.Name)
		}
	}
}

// checkFormRead: a value goes to the process under its name, and there is no other
// way that it could be read (guide §4b). A package that the connector depends on may
// be what reads it.
func checkFormRead(s subject, n notes) {
	remote := s.release.Source == manifest.SourceRemote
	if s.manifest.empty("env") || !remote && (declared.Any(s.files)) {
		return
	}
	text := s.release.URL
	if v := s.release.Verify; v != nil {
		text += v.Command
	}
	if !remote {
		for _, code := range s.code() {
			text += code
		}
	}
	for i, e := range s.release.Env {
		bearer := remote && e.Secret && s.release.Auth.Kind == manifest.AuthAPIKey
		switch {
		case strings.Contains(text, e.Name) || bearer:
		case remote:
			n.warn(inManifest("env[%d].name", i), "put {ENV:NAME} or {SECRET:NAME} into mcp_config.url", "%s is in no address, so it goes nowhere", e.Name)
		default:
			n.warn(inManifest("env[%d].name", i), "name it exactly like the environment variable that the server reads", "no file of the connector has %s in it", e.Name)
		}
	}
}

// reservedEnv is what whoever runs a connector sets for it.
var reservedEnv = []string{"PATH", "HOME", "LANG", "PYTHONPATH", "PYTHONUTF8", "PYTHONUNBUFFERED", "NODE_OPTIONS", "NODE_PATH", "LD_PRELOAD", "LD_LIBRARY_PATH"}

func checkFormReserved(s subject, n notes) {
	for i, e := range s.release.Env {
		if slices.Contains(reservedEnv, strings.ToUpper(e.Name)) {
			n.warn(inManifest("env[%d].name", i), "use a name of the connector's own", "%s replaces what the runtime needs", e.Name)
		}
	}
}

func checkFormLegacy(s subject, n notes) {
	if legacy, _ := member(s.manifest.value("mcp_config"), "env").(map[string]any); len(legacy) > 0 {
		n.warn(inManifest("mcp_config.env"), "declare env[] fields instead", "it renames nothing, and its placeholders are not replaced")
	}
}
