package deps

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"majordomo/sandbox/runtimes"
)

// npmKeys are the settings that say where npm fetches from and how; nothing else of the host's configuration is passed on.
var npmKeys = []string{
	"registry", "replace-registry-host", "strict-ssl", "ca", "cafile", "proxy", "https-proxy", "noproxy", "before",
	"min-release-age", "maxsockets", "fetch-retries", "fetch-retry-factor", "fetch-retry-mintimeout",
	"fetch-retry-maxtimeout", "fetch-timeout",
}

// npmOutside asks npm where its configuration is. The files are read here: npm itself does not tell the credentials in
// them, nor what is configured from what is merely the default.
func (b *Builder) npmOutside(ctx context.Context, npm runtimes.Runtime) (s settings, err error) {
	var answer struct {
		Registry     string `json:"registry"`
		UserConfig   string `json:"userconfig"`
		GlobalConfig string `json:"globalconfig"`
		AllScripts   *bool  `json:"dangerously-allow-all-scripts"`
	}
	if npm, err = b.toolOfHost(ctx, npm); err != nil {
		return s, err
	}
	if err := b.ask(ctx, npm.Command("config", "list", "--json", "--logs-max=0", "--cache=/dev/null"), &answer); err != nil {
		return s, err
	}
	b.environment(&s)
	configured := b.npmrc(answer.GlobalConfig)
	maps.Copy(configured, b.npmrc(answer.UserConfig))
	maps.Copy(configured, npmVariables(b.o.Environ))
	for _, key := range slices.Sorted(maps.Keys(configured)) {
		b.npmSetting(&s, key, configured[key])
	}
	s.registry = cmp.Or(configured["registry"], answer.Registry)
	s.fetchFrom(s.registry)
	if configured["proxy"] == "" && configured["https-proxy"] == "" {
		s.logInToProxy()
	}
	// Newer ones ask for a decision on each install script. Ours is made: they run where they can do no harm.
	if answer.AllScripts != nil {
		s.put("npm_config_dangerously_allow_all_scripts", "true", false)
	}
	return s, nil
}

// npmSetting passes one setting on, as a variable: those rank above the connector's own .npmrc.
func (b *Builder) npmSetting(s *settings, key, value string) {
	name := "npm_config_" + strings.ReplaceAll(key, "-", "_")
	switch {
	case strings.HasPrefix(key, "//"):
		s.npmLogin(key, value)
	case key == "cert" || key == "key":
		s.logins = append(s.logins, loginLine(key, value))
	case key == "cafile":
		b.trust(s, name, value)
	case key == "proxy" || key == "https-proxy":
		s.proxy = value
		if s.fetchVia(value) {
			s.logins = append(s.logins, loginLine(key, value))
		} else {
			s.put(name, value, false)
		}
	case key == "registry" || strings.HasPrefix(key, "@") && strings.HasSuffix(key, ":registry"):
		s.fetchFrom(value)
		s.put(name, s.withoutUser(value), false)
	case slices.Contains(npmKeys, key):
		s.insecure = s.insecure || key == "strict-ssl" && value == "false"
		s.put(name, value, false)
	}
}

// npmDefaults hold for every step of npm: nothing is asked, reported or looked up that the install does not need.
func npmDefaults(s settings) []string {
	defaults := []string{
		"npm_config_update_notifier=false", "npm_config_progress=false", "npm_config_color=false", "npm_config_logs_max=0",
		"npm_config_globalconfig=" + path.Join(hostFiles, "no-global"), "npm_config_userconfig=" + path.Join(loginInside, npmLogin),
		"npm_config_omit_lockfile_registry_resolved=true", "npm_config_git=git",
	}
	// npm waits up to a minute before it says that nobody answers.
	for _, v := range []string{"fetch_retries=2", "fetch_retry_mintimeout=1000", "fetch_retry_maxtimeout=5000"} {
		name, _, _ := strings.Cut("npm_config_"+v, "=")
		if !slices.ContainsFunc(s.env, func(set string) bool { return strings.HasPrefix(set, name+"=") }) {
			defaults = append(defaults, "npm_config_"+v)
		}
	}
	return defaults
}
