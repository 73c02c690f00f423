package deps

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"majordomo/sandbox/runtimes"
)

// pipAsks has pip list its configuration, files and variables merged, and name the index it takes when none is set, and the hosts
// where the indexes it knows keep their files.
const pipAsks = `import ast, json, subprocess, sys
index, files = "", {}
try:
    from pip._internal.models import index as known
    index = known.PyPI.simple_url
    files = {i.netloc: i.file_storage_domain for i in vars(known).values() if isinstance(i, known.PackageIndex)}
except Exception: pass
out = subprocess.run([sys.executable, "-I", "-m", "pip", "config", "list"], check=True, stdout=subprocess.PIPE, text=True).stdout
pairs = (line.partition("=") for line in out.splitlines() if "=" in line)
print(json.dumps({"index": index, "files": files, "values": {key: str(ast.literal_eval(value)) for key, _, value in pairs}}))`

// pipKeys are the settings that say where pip fetches from and how; nothing else of the host's configuration is passed on.
var pipKeys = []string{
	"index-url", "extra-index-url", "find-links", "no-index", "trusted-host", "cert", "client-cert", "proxy", "retries", "timeout",
	"default-timeout",
}

// pipAnswer is what pipAsks prints.
type pipAnswer struct {
	Index  string
	Files  map[string]string // by the host of an index, that of its files
	Values map[string]string // by section and key
}

// configured are the values of pipKeys.
func (a pipAnswer) configured() map[string]string {
	all := map[string]string{}
	for _, section := range []string{"global.", "install.", ":env:."} { // the later one wins, as for pip
		for _, key := range pipKeys {
			if value, ok := a.Values[section+key]; ok {
				all[key] = value
			}
		}
	}
	return all
}

// pipOutside asks the very pip that will install.
func (b *Builder) pipOutside(ctx context.Context, pip runtimes.Runtime) (s settings, err error) {
	var answer pipAnswer
	if pip, err = b.toolOfHost(ctx, pip); err != nil {
		return s, err
	}
	if err := b.ask(ctx, []string{pip.Path, "-I", "-c", pipAsks}, &answer); err != nil {
		return s, err
	}
	b.environment(&s)
	configured := answer.configured()
	for _, key := range pipKeys {
		if value := configured[key]; value != "" {
			b.pipSetting(&s, key, value)
		}
	}
	if on := configured["no-index"]; on == "" || slices.Contains([]string{"0", "no", "false", "off"}, strings.ToLower(on)) {
		s.registry = cmp.Or(configured["index-url"], answer.Index)
		s.fetchFrom(s.registry)
	}
	for _, index := range slices.Clone(s.urls) {
		if files := answer.Files[hostOf(index)]; files != "" {
			s.fetchFrom("https://" + files)
		}
	}
	s.secret = unnameable(s.secret)
	if text, passwords := b.netrc(s.urls); text != "" {
		s.hide = append(s.hide, passwords...)
		s.secret = append(s.secret, "NETRC="+s.lendText("netrc", []byte(text)))
	}
	return s, nil
}

// unnameable gives variables names that a requirements file cannot have expanded into an address: pip replaces ${NAME}
// where NAME is in capitals, and takes PIP_index_url and https_proxy for what they are just as well.
func unnameable(secret []string) []string {
	var renamed []string
	seen := map[string]bool{}
	for _, v := range secret {
		name, value, _ := strings.Cut(v, "=")
		prefix := ""
		if rest, ok := strings.CutPrefix(name, "PIP_"); ok {
			prefix, name = "PIP_", rest
		}
		if name = prefix + strings.ToLower(name); !seen[name] {
			seen[name] = true
			renamed = append(renamed, name+"="+value)
		}
	}
	return renamed
}

// pipSetting passes one setting on as a variable, with what lies on this host shown inside.
func (b *Builder) pipSetting(s *settings, key, value string) {
	name := "PIP_" + strings.ToUpper(strings.ReplaceAll(key, "-", "_"))
	switch key {
	case "cert":
		b.trust(s, name, value)
		return
	case "client-cert":
		if inside, ok := s.lend(value); ok {
			s.certs = append(s.certs, clientCert{cert: value, key: value})
			s.put(name, inside, true)
		}
		return
	case "proxy":
		s.proxy = value
		s.put(name, value, s.fetchVia(value))
		return
	case "trusted-host":
		s.insecure = true
	}
	secret := false
	places := strings.Fields(value)
	for i, place := range places {
		if local, ok := s.show(localPath(place)); ok {
			places[i] = local
		} else if s.fetchFrom(place) {
			secret = true
		}
	}
	s.put(name, strings.Join(places, " "), secret)
}

// localPath is the path of what lies on this host, or something that is none.
func localPath(place string) string {
	if u, err := url.Parse(place); err == nil && u.Scheme == "file" {
		return u.Path
	}
	return place
}

// pipDefaults hold for every step of pip. As a variable, break-system-packages is passed over by a pip that is too old
// to know it.
var pipDefaults = []string{
	"PIP_CONFIG_FILE=/dev/null", "PIP_BREAK_SYSTEM_PACKAGES=1", "PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_NO_INPUT=1",
	"PIP_PROGRESS_BAR=off", "PIP_NO_COLOR=1", "PIP_ROOT_USER_ACTION=ignore", "PIP_NO_WARN_SCRIPT_LOCATION=1",
}
