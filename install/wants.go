package install

import (
	"maps"

	"majordomo/deps/declared"
)

// wants is what a release's files ask of npm or pip: name → version, range or address, as it stands there; direct are those that
// the connector itself names. It is for people: nothing is decided by it.
type wants struct {
	versions map[string]string
	direct   map[string]bool
}

// wanted reads a tool's files, by name.
func wanted(tool string, texts map[string][]byte) (wants, error) {
	w := wants{map[string]string{}, map[string]bool{}}
	if tool == "pip" {
		w.name(declared.Requirements(texts[declared.RequirementsFile]).Versions())
		return w, nil
	}
	if text, ok := texts[declared.PackageFile]; ok {
		p, err := declared.ParsePackageJSON(text)
		if err != nil {
			return w, err
		}
		w.name(texted(p.Dependencies))
		w.name(texted(p.OptionalDependencies))
	}
	locked, err := lockedVersions(texts)
	maps.Copy(w.versions, locked)
	return w, err
}

// name adds what the connector itself names.
func (w wants) name(versions map[string]string) {
	for name, version := range versions {
		w.versions[name], w.direct[name] = version, true
	}
}

// texted leaves a version empty that is no text.
func texted(versions map[string]any) map[string]string {
	all := map[string]string{}
	for name, version := range versions {
		all[name], _ = version.(string)
	}
	return all
}

// lockedVersions are those of the lockfile that npm goes by; none without one.
func lockedVersions(texts map[string][]byte) (map[string]string, error) {
	for _, name := range declared.Lockfiles {
		if text, ok := texts[name]; ok {
			lock, err := declared.ParseLockfile(text)
			return lock.Versions(), err
		}
	}
	return nil, nil
}
