package install

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// What the files say that npm and pip go by, read only to tell a person: nothing
// is decided by it.

// wants is what files ask for: name → version, range or address, as it is written
// there; direct are those that the connector itself names.
type wants struct {
	versions map[string]string
	direct   map[string]bool
}

// npmLocks in the order in which npm looks for them.
var npmLocks = []string{"npm-shrinkwrap.json", "package-lock.json"}

// readNPM reads package.json and, where there is one, the lockfile, which knows
// the versions of everything.
func readNPM(files map[string][]byte) (wants, error) {
	w := wants{map[string]string{}, map[string]bool{}}
	var root struct {
		Dependencies         map[string]any `json:"dependencies"`
		OptionalDependencies map[string]any `json:"optionalDependencies"`
	}
	if text, ok := files["package.json"]; ok {
		if err := json.Unmarshal(withoutBOM(text), &root); err != nil {
			return w, err
		}
	}
	for _, some := range []map[string]any{root.Dependencies, root.OptionalDependencies} {
		for name, version := range some {
			text, _ := version.(string)
			w.versions[name], w.direct[name] = text, true
		}
	}
	for _, name := range npmLocks {
		if text, ok := files[name]; ok {
			locked, err := readLock(text)
			maps.Copy(w.versions, locked)
			return w, err
		}
	}
	return w, nil
}

// lockedPackage is one entry of a lockfile since npm 7.
type lockedPackage struct {
	Version string `json:"version"`
	Dev     bool   `json:"dev"`
	Link    bool   `json:"link"`
}

// readLock returns every package that is not only for development. One that is
// there several times has all its versions.
func readLock(text []byte) (map[string]string, error) {
	var doc struct {
		Packages     map[string]lockedPackage `json:"packages"`     // since npm 7, by path
		Dependencies map[string]oldPackage    `json:"dependencies"` // before, nested
	}
	if err := json.Unmarshal(withoutBOM(text), &doc); err != nil {
		return nil, err
	}
	found := map[string][]string{}
	for path, p := range doc.Packages {
		_, name, inside := lastCut(path, "node_modules/")
		if inside && !p.Dev && !p.Link {
			found[name] = append(found[name], p.Version)
		}
	}
	if doc.Packages == nil {
		collectOld(doc.Dependencies, found)
	}
	all := map[string]string{}
	for name, versions := range found {
		slices.Sort(versions)
		all[name] = strings.Join(slices.Compact(versions), ", ")
	}
	return all, nil
}

// oldPackage is one before.
type oldPackage struct {
	Version      string                `json:"version"`
	Dev          bool                  `json:"dev"`
	Dependencies map[string]oldPackage `json:"dependencies"`
}

func collectOld(packages map[string]oldPackage, found map[string][]string) {
	for name, p := range packages {
		if !p.Dev {
			found[name] = append(found[name], p.Version)
			collectOld(p.Dependencies, found)
		}
	}
}

func lastCut(s, sep string) (before, after string, found bool) {
	at := strings.LastIndex(s, sep)
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+len(sep):], true
}

// requirement is the name, with extras, and the rest of a line of requirements.txt.
var requirement = regexp.MustCompile(`^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*((?:\[[^\]]*\])?.*)$`)

// readPip reads requirements.txt. Lines that name no package, such as options and
// bare addresses, are not listed.
func readPip(text []byte) wants {
	w := wants{map[string]string{}, map[string]bool{}}
	joined := strings.ReplaceAll(strings.ReplaceAll(string(withoutBOM(text)), "\r\n", "\n"), "\\\n", " ")
	for line := range strings.Lines(joined) {
		line, _, _ = strings.Cut(" "+strings.TrimSpace(line), " #")
		line, _, _ = strings.Cut(line, " --") // hashes and such
		line = strings.TrimSpace(line)
		parts := requirement.FindStringSubmatch(line)
		if parts == nil || strings.Contains(parts[2], "://") && !strings.Contains(parts[2], "@") {
			continue
		}
		name := strings.ToLower(strings.NewReplacer("_", "-", ".", "-").Replace(parts[1])) // as PEP 503
		w.versions[name], w.direct[name] = strings.TrimSpace(parts[2]), true
	}
	return w
}

func withoutBOM(text []byte) []byte {
	return []byte(strings.TrimPrefix(string(text), "\ufeff"))
}
