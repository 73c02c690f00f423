package deps

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
)

// ownConfig is the connector's own npm configuration, and the keys of it that are kept. It lies between the daemon's and
// the command line: one line of it could make npm run a program, or send a token without checking who answers.
const ownConfig = ".npmrc"

var ownConfigKeys = []string{
	"registry", "legacy-peer-deps", "strict-peer-deps", "install-strategy", "install-links", "prefer-dedupe",
	"engine-strict", "bin-links", "force",
}

// copySource copies one runtime file, and refuses it if its bytes are not those the key was made of.
func copySource(from, to *os.Root, s source) error {
	in, _, err := openRegular(from, s.path)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := to.MkdirAll(path.Dir(s.path), 0o755); err != nil {
		return err
	}
	out, err := to.OpenFile(s.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, s.mode|0o600)
	if err != nil {
		return err
	}
	defer out.Close()
	h := sha256.New()
	var copied strings.Builder
	writer := io.Writer(out)
	if s.rewrite != nil {
		writer = &copied
	}
	if _, err := io.Copy(io.MultiWriter(writer, h), in); err != nil {
		return err
	}
	if [sha256.Size]byte(h.Sum(nil)) != s.sum {
		return fmt.Errorf("%s changed while its dependencies were being installed: try again", s.path)
	}
	if s.rewrite != nil {
		if _, err := io.WriteString(out, s.rewrite(copied.String())); err != nil {
			return err
		}
	}
	return out.Close()
}

// keptConfig is what stays of a connector's .npmrc. Variables are none of its business: an address with
// ${npm_config_//registry/:_authToken} in it would carry the token there.
func keptConfig(text string) string {
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if strings.Contains(line, "${") {
			continue
		}
		key, _, _ := strings.Cut(line, "=")
		key = strings.TrimSpace(key)
		scoped := strings.HasPrefix(key, "@") && strings.HasSuffix(key, ":registry")
		if scoped || slices.Contains(ownConfigKeys, key) {
			kept.WriteString(strings.TrimSpace(line) + "\n")
		}
	}
	return kept.String()
}
