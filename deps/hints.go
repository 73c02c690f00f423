package deps

import (
	"regexp"
	"strings"
	"sync"
)

// hint maps what a tool says to what a person can do. ${1} is the first group of the expression, mostly the package or file.
type hint struct {
	says func() *regexp.Regexp
	do   string
}

// hintKind is what the builder has to know of a hint; the rest of it is for people.
type hintKind int

const (
	plainHint      hintKind = iota
	registryAnswer          // the registry answered, and a certificate stands in the way
	noRelease               // nothing that is built already fits
)

// hints of every tool, the more telling ones first.
var hints = []struct {
	kind  hintKind
	hints []hint
}{
	{plainHint, diskHints}, {registryAnswer, certificateHints}, {plainHint, gitHints}, {plainHint, npmHints}, {plainHint, pipHints},
	{noRelease, releaseHints}, {plainHint, buildHints},
}

var diskHints = []hint{
	{re(`ENOSPC|[Nn]o space left on device`), "the disk is full: make room and try again"},
	{re(`EDQUOT|[Dd]isk quota exceeded`), "the disk quota is used up: make room and try again"},
}

var certificateHints = []hint{
	{re(`CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|certificate has expired|certificate is not yet valid`),
		"the registry's certificate is not valid today: look at this machine's clock, or tell whoever keeps the registry"},
	{re(`ALERT_CERTIFICATE_REQUIRED|certificate required`),
		"the registry asks for a client certificate: set certfile and keyfile of that registry for npm, or client-cert for pip"},
	{re(`CERTIFICATE|SELF_SIGNED|unable to get local issuer|confirming the ssl certificate`),
		"the registry's certificate is not trusted here: set cafile for npm, or cert for pip, to your authority's file"},
}

// gitHints are about dependencies that are git repositories.
var gitHints = []hint{
	{re(`spawn git ENOENT|syscall spawn git|Cannot find command 'git'`),
		"a dependency comes from a git repository: install the Debian package git"},
	{re(`git clone .*?(\S+://\S+) [\s\S]*fatal: (.+)`), noRepository},
	{re(`command git .*?(\S+://\S+|\S+@\S+)[\s\S]*fatal: (.+)`), noRepository},
}

const noRepository = "the git repository ${1} cannot be read (${2}): no credentials are passed on for git, so ask the publisher for a release in a registry"

// buildHints are about what compilers say.
var buildHints = []hint{
	{re(`command 'gcc' failed|g?cc: not found|No such file or directory: 'g?cc'|not found: make|Python\.h: No such file`), compiler},
	{re(`Could not find any Python installation|gyp ERR! build error`), compiler},
	{re(`JavaScript heap out of memory|Cannot allocate memory`), "the build needs more memory than it may use"},
	{re(`sh: \d+: (\S+): not found`),
		"a script calls ${1}, which is not there: if it is a development dependency, the publisher has to move it to dependencies"},
}

const compiler = "a package has to be compiled: install the Debian packages build-essential and python3-dev, or ask the publisher " +
	"for a package that needs no compiler"

// re is compiled when it is first asked for: all of them take a millisecond and half a megabyte, and most daemons, like every other verb,
// never need one.
func re(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)` + expression) })
}

// advice is a hint filled in for one failure; the zero value is none.
type advice struct {
	kind hintKind
	text string
}

// adviceOn says what to do about a failure that ended with these lines.
func adviceOn(lines []string) advice {
	text := strings.Join(lines, "\n")
	for _, group := range hints {
		for _, h := range group.hints {
			says := h.says()
			if at := says.FindStringSubmatchIndex(text); at != nil {
				return advice{group.kind, string(says.ExpandString(nil, h.do, text, at))}
			}
		}
	}
	return advice{}
}
