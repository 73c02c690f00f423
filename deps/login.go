package deps

import (
	"encoding/json"
	"os"
	"path"
	"strings"

	"majordomo/sandbox"
)

// login is a file with npm's credentials, for the step that fetches. As variables, foreign configuration could name them:
// npm puts ${npm_config_//registry/:_authToken} into whatever .npmrc it reads, and reads that of a dependency from git too.
type login struct {
	config string // where npm looks for it
	mounts []sandbox.Mount
	file   string // on the host; "" = there are no credentials
}

// nobody is the login of steps that have no credentials.
var nobody = login{config: path.Join(shelf, "no-user")}

// logIn writes the file, which nobody but the build's uid can read, and which counts as part of a partial tree: what a
// crash leaves is removed when the daemon starts.
func (j *job) logIn(s settings) (login, error) {
	if len(s.logins) == 0 {
		return nobody, nil
	}
	l := login{config: path.Join(shelf, "login"), file: j.o.Paths.Tree(j.plan.key) + "-login" + partialSuffix}
	l.mounts = []sandbox.Mount{{Source: l.file, Target: l.config}}
	l.forget()
	err := os.WriteFile(l.file, []byte(strings.Join(s.logins, "")), 0o600)
	if err == nil && asRoot() {
		err = os.Chown(l.file, j.o.UID, j.o.UID)
	}
	if err != nil {
		l.forget()
	}
	return l, err
}

func (l login) forget() {
	if l.file != "" {
		os.Remove(l.file)
	}
}

// loginLine is one credential as npm reads it from a file.
func loginLine(key, value string) string {
	quoted, err := json.Marshal(value)
	if err != nil {
		return "" // cannot be: it is a string
	}
	return key + "=" + string(quoted) + "\n"
}
