package deps

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// netrc is what this host's .netrc says of the hosts that are fetched from, as such a file, and the passwords in it. pip looks
// there for what its own configuration does not have. What stands for every host ("default") is for none of ours.
func (b *Builder) netrc(urls []string) (text string, passwords []string) {
	data := b.netrcFile()
	var hosts []string
	for _, address := range urls {
		if u, err := url.Parse(address); err == nil {
			hosts = append(hosts, u.Hostname())
		}
	}
	words := netrcWords(data)
	for i := 0; i+1 < len(words); i++ {
		if words[i] != "machine" {
			continue
		}
		machine, entry := words[i+1], []string{"machine", words[i+1]}
		for i += 2; i+1 < len(words) && slices.Contains([]string{"login", "account", "password"}, words[i]); i += 2 {
			entry = append(entry, words[i], words[i+1])
			if words[i] == "password" && slices.Contains(hosts, machine) {
				passwords = append(passwords, words[i+1])
			}
		}
		i--
		if slices.Contains(hosts, machine) {
			text += strings.Join(entry, " ") + "\n"
		}
	}
	return text, passwords
}

func (b *Builder) netrcFile() string {
	places := []string{b.getenv("NETRC"), filepath.Join(b.getenv("HOME"), ".netrc"), filepath.Join(b.getenv("HOME"), "_netrc")}
	for _, place := range places {
		if data, err := os.ReadFile(place); err == nil && filepath.IsAbs(place) {
			return string(data)
		}
	}
	return ""
}

// netrcWords leaves out comments, and macros, which last to the next empty line.
func netrcWords(text string) (words []string) {
	macro := false
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		macro = macro && len(fields) > 0 || len(fields) > 0 && fields[0] == "macdef"
		if !macro && len(fields) > 0 && !strings.HasPrefix(fields[0], "#") {
			words = append(words, fields...)
		}
	}
	return words
}
