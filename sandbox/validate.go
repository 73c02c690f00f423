package sandbox

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"majordomo/sandbox/runtimes"
)

// maxArguments bounds Argv and Env together: they travel to the init in one packet.
const maxArguments = 96 << 10

var names = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// Validate returns every problem of the Spec at once, or nil. It looks at nothing but the caller's own uid and the homes of this machine.
func (s Spec) Validate() error {
	var problems []error
	for _, check := range []func(Spec) []error{
		checkName, checkArgv, checkEnv, checkDir, checkIDs, checkRuntimes, checkMounts, checkNetwork, checkLimits, checkRequired,
	} {
		problems = append(problems, check(s)...)
	}
	return errors.Join(problems...)
}

func problem(format string, args ...any) []error { return []error{fmt.Errorf(format, args...)} }

func checkName(s Spec) []error {
	if !names.MatchString(s.Name) {
		return problem("name %q: want up to 64 of A-Z a-z 0-9 . _ - and no sign first", s.Name)
	}
	if s.Pool != "" && !names.MatchString(s.Pool) {
		return problem("pool %q: want up to 64 of A-Z a-z 0-9 . _ - and no sign first", s.Pool)
	}
	return nil
}

func checkArgv(s Spec) (out []error) {
	if len(s.Argv) == 0 || s.Argv[0] == "" {
		return problem("argv: no program")
	}
	for i, arg := range s.Argv {
		if strings.Contains(arg, "\x00") {
			out = append(out, fmt.Errorf("argv[%d]: contains a NUL byte", i))
		}
	}
	if n := len(strings.Join(s.Argv, "")) + len(strings.Join(s.Env, "")); n > maxArguments {
		out = append(out, fmt.Errorf("argv and env: %d bytes, %d are allowed", n, maxArguments))
	}
	return out
}

func checkEnv(s Spec) (out []error) {
	seen := map[string]bool{}
	for i, v := range s.Env {
		name, _, ok := strings.Cut(v, "=")
		switch { // the value stays out of the message: it may be a secret
		case !ok || name == "":
			out = append(out, fmt.Errorf("env[%d]: not NAME=value", i))
		case strings.Contains(v, "\x00"):
			out = append(out, fmt.Errorf("env %s: contains a NUL byte", name))
		case seen[name]:
			out = append(out, fmt.Errorf("env %s: given twice", name))
		}
		seen[name] = true
	}
	return out
}

func checkDir(s Spec) []error {
	if !absolute(s.Dir) {
		return problem("dir %q: want a clean absolute path", s.Dir)
	}
	return nil
}

func checkIDs(s Spec) (out []error) {
	own := os.Geteuid()
	switch {
	case s.UID < 0 || s.GID < 0:
		return problem("uid %d, gid %d: want no negative number", s.UID, s.GID)
	case own == 0 && (s.UID == 0 || s.GID == 0):
		return problem("uid %d, gid %d: a connector never runs as root", s.UID, s.GID)
	case own != 0 && s.UID != 0 && s.UID != own:
		return problem("uid %d: without root only the daemon's own uid, %d, can be had", s.UID, own)
	}
	return nil
}

func checkRuntimes(s Spec) (out []error) {
	for _, prefix := range s.Runtimes {
		why := runtimes.RefusedPrefix(prefix)
		if slices.ContainsFunc(reserved[1:], func(dir string) bool { return within(prefix, dir) }) {
			why = "not the prefix of an interpreter"
		}
		if why != "" {
			out = append(out, fmt.Errorf("runtime %q: %s", prefix, why))
		}
	}
	return out
}

func checkMounts(s Spec) (out []error) {
	seen := map[string]bool{}
	for _, m := range s.Mounts {
		for _, why := range m.problems() {
			out = append(out, fmt.Errorf("mount %q: %s", m.Target, why))
		}
		if seen[m.Target] {
			out = append(out, fmt.Errorf("mount %q: given twice", m.Target))
		}
		seen[m.Target] = true
	}
	return out
}

func checkNetwork(s Spec) []error {
	if err := s.egress().Validate(); err != nil {
		return problem("network: %w", err)
	}
	return nil
}

func checkLimits(s Spec) (out []error) {
	l := s.Limits.withDefaults()
	for _, c := range []struct {
		bad  bool
		what string
	}{
		{l.Memory < 16<<20, "memory: want at least 16 MiB"},
		{l.Pids < 32, "pids: want at least 32, of which the init and node alone take 17"},
		{l.CPU < 0, "cpu: want no negative number"},
		{l.Files < 64, "files: want at least 64"},
		{l.Disk != Unwatched && l.Disk < 0, "disk: want no negative number"},
		{l.Inodes < 0, "inodes: want no negative number"},
		{l.Tmp < 1<<20, "tmp: want at least 1 MiB"},
	} {
		if c.bad {
			out = append(out, errors.New("limit "+c.what))
		}
	}
	return out
}

func checkRequired(s Spec) (out []error) {
	for _, l := range s.Required {
		if !slices.Contains(Layers(), l) {
			out = append(out, fmt.Errorf("required %q: no such layer", l))
		}
	}
	return out
}
