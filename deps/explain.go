package deps

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"
)

// explain turns a failure into what a person needs: phase, limit, time, last words, and what to do.
func (j *job) explain(ctx context.Context, err error) *InstallError {
	a := cmp.Or(j.advice(), adviceOn([]string{err.Error()}))
	e := &InstallError{
		Connector: j.plan.pkg.ID, Phase: j.phase, Limit: j.o.Timeout, Elapsed: time.Since(j.start),
		TimedOut: errors.Is(err, context.DeadlineExceeded), Hint: a.text, Tail: tail(j.lines), Err: err,
	}
	if s, fetching := j.source(); fetching && s.registry != "" && a.kind != registryAnswer {
		j.blame(ctx, e, s)
	}
	if len(j.refused) > 0 && !e.Unreachable {
		e.Hint = j.refusedHint(e.Hint)
	}
	return e
}

// refusedHint says who was refused, instead of a hint that nobody answered, or beside another one.
func (j *job) refusedHint(hint string) string {
	because := refusal(j.refused, j.lines)
	if hint == "" || unanswered(result{lines: j.lines}) {
		return because
	}
	return hint + "; " + because
}

// blame finds out whether a registry is to blame that does not answer.
func (j *job) blame(ctx context.Context, e *InstallError, s settings) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if why := reach(ctx, s); why != nil {
		e.Unreachable, e.Registry, e.Hint = true, hostOf(s.registry), "check this machine's network and proxy"
	} else if unanswered(result{lines: j.lines}) {
		e.Hint = whoIsSilent(j.lines) + " does not answer, though the registry does: if that is a private host, add it to deps.registries"
	}
}

var asked = re(`(?:request to|Could not fetch URL) (\S+?):? (?:failed|connection error)`)

// whoIsSilent is whom a tool could not talk to.
func whoIsSilent(lines []string) string {
	if found := asked().FindStringSubmatch(strings.Join(lines, "\n")); found != nil {
		return found[1]
	}
	return "a host that is asked for files"
}

// unanswered is true when npm or pip could not talk to somebody.
func unanswered(r result) bool {
	return slices.ContainsFunc([]string{"Retrying (Retry(", ": connection error: ", "ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT"}, r.says)
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

// advice goes by what the last step printed, and by what this host's policy kept it from.
func (j *job) advice() advice {
	a := adviceOn(j.lines)
	if a.kind == noRelease && j.o.Scripts.String() != "allow" {
		a.text += "; one that has to be built from source is not, as deps.scripts says"
	}
	if a == (advice{}) && j.phase == phaseScripts && !j.o.ScriptsNetwork && len(j.lines) > 0 {
		a.text = "an install script failed; scripts run without network, which deps.scripts_network = true gives them"
	}
	return a
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
