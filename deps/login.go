package deps

import (
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"majordomo/sandbox"
)

// login is a directory with credentials, for the step that fetches. As variables, foreign configuration could name them: npm puts
// ${npm_config_//registry/:_authToken} into whatever .npmrc it reads, and reads that of a dependency from git too.
type login struct {
	mounts []sandbox.Mount
	dir    string // on the host; "" = there are no credentials
}

const (
	loginInside = hostFiles + "/login"
	npmLogin    = "npmrc" // the name in there of npm's configuration
)

// lent is a file with a credential, under its name in the directory.
type lent struct {
	name string
	data []byte
}

// lend notes a copy of a file of this host for the steps that fetch, and returns its path there. The file itself is mostly
// readable for nobody but its owner, and the build has another uid.
func (s *settings) lend(host string) (inside string, ok bool) {
	data, err := os.ReadFile(host)
	if err != nil {
		return "", false
	}
	return s.lendText(filepath.Base(host), data), true
}

func (s *settings) lendText(name string, data []byte) (inside string) {
	name = strconv.Itoa(len(s.lent)) + "-" + name
	s.lent = append(s.lent, lent{name, data})
	return path.Join(loginInside, name)
}

// logIn writes the files, which nobody but the build's uid can read, and which count as part of a partial tree: what a crash
// leaves is removed when the daemon starts.
func (j *job) logIn(s settings) (login, error) {
	files := s.lent
	if len(s.logins) > 0 {
		files = append(files[:len(files):len(files)], lent{npmLogin, []byte(strings.Join(s.logins, ""))})
	}
	if len(files) == 0 {
		return login{}, nil
	}
	l := login{dir: j.o.Paths.Tree(j.plan.key) + "-login" + partialSuffix}
	l.mounts = []sandbox.Mount{{Source: l.dir, Target: loginInside}}
	l.forget()
	err := l.write(files)
	if err == nil {
		err = j.giveToBuild(l.dir)
	}
	if err != nil {
		l.forget()
	}
	return l, err
}

func (l login) write(files []lent) error {
	if err := os.Mkdir(l.dir, 0o700); err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(l.dir, f.name), f.data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (l login) forget() {
	if l.dir != "" {
		os.RemoveAll(l.dir)
	}
}
