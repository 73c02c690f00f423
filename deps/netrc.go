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
	var hosts []string
	for _, address := range urls {
		if u, err := url.Parse(address); err == nil {
			hosts = append(hosts, u.Hostname())
		}
	}
	for _, e := range netrcEntries(b.netrcFile()) {
		if slices.Contains(hosts, e.machine) {
			text += e.text + "\n"
			passwords = append(passwords, e.passwords...)
		}
	}
	return text, passwords
}

// netrcEntry is what a .netrc says of one host.
type netrcEntry struct {
	machine, text string
	passwords     []string
}

var netrcFields = []string{"login", "account", "password"}

func netrcEntries(text string) (all []netrcEntry) {
	for words := netrcWords(text); len(words) > 1; {
		if words[0] != "machine" {
			words = words[1:]
			continue
		}
		e := netrcEntry{machine: words[1], text: "machine " + words[1]}
		for words = words[2:]; len(words) > 1 && slices.Contains(netrcFields, words[0]); words = words[2:] {
			e.text += " " + words[0] + " " + words[1]
			if words[0] == "password" {
				e.passwords = append(e.passwords, words[1])
			}
		}
		all = append(all, e)
	}
	return all
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
