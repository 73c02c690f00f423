package deps

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
)

// hints map what npm, pip and compilers say to what a person can do. The first that fits is taken.
var hints = []struct{ says, hint string }{
	{"EINTEGRITY", "the registry's bytes do not match the digest in the lockfile: do not use them, and tell the publisher"},
	{"DO NOT MATCH THE HASHES", "the index's bytes do not match the digest in requirements.txt: do not use them, and tell the publisher"},
	{"ENOSPC", "the disk is full: make room and try again"},
	{"No space left on device", "the disk is full: make room and try again"},
	{"code EBADENGINE", "a package asks for another version of node: install that, or ask the publisher for a package that fits"},
	{"Requires-Python", "a package asks for another version of Python: install that, or ask the publisher for a package that fits"},
	{"requires a different Python", "a package asks for another version of Python: install that, or ask the publisher for a package that fits"},
	{"code ERESOLVE", "packages ask for versions that exclude each other: the publisher can ship an .npmrc with legacy-peer-deps=true"},
	{"code ETARGET", "the registry does not have that version: ask the publisher to correct package.json"},
	{"code E404", "the registry does not have that package: ask the publisher, or configure the registry that has it for npm"},
	{"code E401", "the registry wants credentials: configure them for npm"},
	{"code E403", "the registry refused: look at the credentials configured for npm"},
	{"401 Error", "the index wants credentials: configure them for pip"},
	{"403 Client Error", "the index refused: look at the credentials configured for pip"},
	{"CERTIFICATE", "the registry's certificate is not trusted here: set cafile for npm, or cert for pip, to your authority's file"},
	{"SELF_SIGNED", "the registry's certificate is not trusted here: set cafile for npm, or cert for pip, to your authority's file"},
	{"unable to get local issuer", "the registry's certificate is not trusted here: set cafile for npm, or cert for pip, to your authority's file"},
	{"command 'gcc' failed", compiler}, {"gcc: not found", compiler}, {"cc: not found", compiler},
	{"No such file or directory: 'gcc'", compiler}, {"not found: make", compiler}, {"Python.h: No such file", compiler},
	{"Could not find any Python installation", compiler}, {"gyp ERR! build error", compiler},
	{"not a supported wheel on this platform", "there is no wheel for this platform: ask the publisher for a version that has one"},
	{notBuilt, "a package has to be built from source, which deps.scripts does not allow"},
	{"No matching distribution found", noRelease},
}

const noRelease = "no release of it fits this platform and version of Python, or it does not exist: look at requirements.txt"

const compiler = "a package has to be compiled: install the Debian packages build-essential and python3-dev, or ask the publisher " +
	"for a package that needs no compiler"

// explain turns a failure into what a person needs: phase, limit, time, last words, and what to do.
func (j *job) explain(ctx context.Context, err error) *InstallError {
	e := &InstallError{
		Connector: j.plan.pkg.ID, Phase: j.phase, Limit: j.o.Timeout, Elapsed: time.Since(j.start),
		TimedOut: errors.Is(err, context.DeadlineExceeded), Hint: j.hint(), Tail: tail(j.lines), Err: err,
	}
	s, fetching := j.source()
	if !fetching || s.registry == "" {
		return e
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if why := reach(ctx, s); why != nil {
		e.Unreachable, e.Registry, e.Hint = true, hostOf(s.registry), "check this machine's network and proxy"
	} else if unanswered(result{lines: j.lines}) {
		e.Hint = "the registry itself answers this machine: if it hands out files from another private host, add that to deps.registries"
	}
	return e
}

// unanswered is true when npm or pip could not talk to somebody.
func unanswered(r result) bool {
	return slices.ContainsFunc([]string{"Retrying (Retry(", "ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT"}, r.says)
}

// source is what the phase that failed fetches from.
func (j *job) source() (settings, bool) {
	switch j.phase {
	case phaseNPM:
		return j.outside.npm, true
	case phasePip, phasePipBuild:
		return j.outside.pip, true
	}
	return settings{}, false
}

func (j *job) hint() string {
	for _, h := range hints {
		if !(result{lines: j.lines}).says(h.says) {
			continue
		}
		if h.hint == noRelease && j.o.Scripts.String() != "allow" {
			return h.hint + "; one that has to be built from source is not, as deps.scripts says"
		}
		return h.hint
	}
	if j.phase == phaseScripts && !j.o.ScriptsNetwork && len(j.lines) > 0 {
		return `an install script failed; scripts run without network, which deps.scripts_network = true gives them`
	}
	return ""
}

// tail is the last words of a tool. npm's account of each download is left out, unless it says nothing else.
func tail(lines []string) []string {
	words := slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		return strings.HasPrefix(line, "npm http fetch GET 200") || strings.HasPrefix(line, "npm http cache")
	})
	if len(words) == 0 {
		words = lines
	}
	return words[max(0, len(words)-tailLines):]
}
