package sandbox

import (
	"regexp"
	"strings"
)

// hostPath is where a path inside would be on the host. The driver none has no inside: a connector runs in the directory that
// would have been mounted.
func (s Spec) hostPath(p string) string {
	best, source := "", p
	for _, m := range s.Mounts {
		if within(p, m.Target) && len(m.Target) > len(best) {
			best = m.Target
			source = m.hostSource() + p[len(best):]
		}
	}
	return source
}

// hostArgs says on the command line, in place of paths that would have been mounted, where they are on the host.
func (s Spec) hostArgs() []string {
	all := make([]string, len(s.Argv))
	for i, arg := range s.Argv {
		all[i] = s.hostPaths(arg)
	}
	return all
}

// hostEnv does the same in the environment, where a value may be a list of paths or hold one among other words.
func (s Spec) hostEnv() []string {
	all := make([]string, len(s.Env))
	for i, v := range s.Env {
		name, value, _ := strings.Cut(v, "=")
		all[i] = name + "=" + s.hostPaths(value)
	}
	return all
}

// words are what may be a path. Node wants one with a space in it in quotation marks, in NODE_OPTIONS.
var words = regexp.MustCompile(`[^:\s"]+`)

func (s Spec) hostPaths(text string) string {
	return words.ReplaceAllStringFunc(text, func(word string) string {
		if !absolute(word) {
			return word
		}
		return s.hostPath(word)
	})
}
