package author

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"

	"majordomo/configs/manifest"
	"majordomo/deps/declared"
)

// checkDependencyFile: dependencies[] and setup_instructions[] are shown and install
// nothing (guide §5).
func checkDependencyFile(s subject, n notes) {
	for i, step := range s.manifest.list("setup_instructions") {
		if found := installStep.FindString(fmt.Sprint(step)); found != "" {
			n.warn(inManifest("setup_instructions[%d]", i), "remove it: what the dependency file declares is installed by itself", "%s is nobody's to do", found)
		}
	}
	if s.manifest.empty("dependencies") || s.release.Source != manifest.SourceLocal || s.ships(declared.RequirementsFile) {
		return
	}
	if !s.ships(declared.PackageFile) {
		n.warn(inManifest("dependencies"), "ship a package.json or a requirements.txt", "it installs nothing, and there is no file that does")
		return
	}
	if p, err := s.packageJSON(); err == nil && len(p.Dependencies) == 0 {
		n.warn(inManifest("dependencies"), "declare them under dependencies in package.json", "it installs nothing, and package.json has no dependencies that are installed")
	}
}

var installStep = regexp.MustCompile(`(?i)\b(npm (install|i|ci)|pip3? install|npx|uvx|yarn|pnpm)\b`)

// packageJSON reads the connector's, which npm reads as well.
func (s subject) packageJSON() (declared.PackageJSON, error) {
	text, err := read(s.root, path.Join(s.folder, declared.PackageFile), manifest.MaxFile)
	if err != nil {
		return declared.PackageJSON{}, err
	}
	return declared.ParsePackageJSON(text)
}

// checkLockfile: with a lockfile every install brings the same bytes (guide §5).
func checkLockfile(s subject, n notes) {
	if !s.ships(declared.PackageFile) {
		return
	}
	p, err := s.packageJSON()
	if err != nil {
		n.fail(place{declared.PackageFile, ""}, "correct it: npm could not read it either", "%v", err)
		return
	}
	if len(p.Dependencies) == 0 {
		return
	}
	locked := false
	for _, name := range declared.Lockfiles {
		if s.ships(name) {
			locked = true
			s.checkLock(n, name)
		}
	}
	if !locked {
		n.warn(place{declared.PackageFile, "dependencies"}, makeLockfile, "there is no lockfile beside it, so two installs may differ")
	}
}

const makeLockfile = "npm install --package-lock-only --ignore-scripts --omit-lockfile-registry-resolved=true"

func (s subject) checkLock(n notes, name string) {
	text, err := read(s.root, path.Join(s.folder, name), manifest.MaxFile)
	if err != nil {
		n.fail(place{name, ""}, makeLockfile, "%v", err)
		return
	}
	lock, err := declared.ParseLockfile(text)
	switch {
	case err != nil:
		n.fail(place{name, ""}, makeLockfile, "%v", err)
	case lock.Addressed():
		n.warn(place{name, "packages"}, makeLockfile, "it has addresses, so it installs from one registry whatever the host is configured for")
	}
}

// checkPinned: without exact versions two installs may differ (guide §5).
func checkPinned(s subject, n notes) {
	text, err := read(s.root, path.Join(s.folder, declared.RequirementsFile), manifest.MaxFile)
	if err != nil {
		return
	}
	for number, line := range declared.Requirements(text).Lines() {
		at := place{declared.RequirementsFile, fmt.Sprintf("line %d", number)}
		switch {
		case strings.HasPrefix(line, "-i") || strings.HasPrefix(line, "--index") || strings.HasPrefix(line, "--extra-index"):
			n.warn(at, "remove it", "the registry is the host's to choose")
		case strings.HasPrefix(line, "-"):
		case !strings.Contains(line, "==") && !strings.Contains(line, " @ "):
			n.warn(at, "pin it with ==, and what it brings in too", "%.80q may be another version tomorrow", line)
		}
	}
}

// checkVerify: a check before anything is saved, within its time (guide §6).
func checkVerify(s subject, n notes) {
	if secs, ok := member(s.manifest.value("verify"), "timeout_secs").(float64); ok && time.Duration(secs)*time.Second > manifest.VerifyTimeout {
		n.warn(inManifest("verify.timeout_secs"), "keep the check well under 20 seconds", "%v seconds are more than the 20 that every check gets", secs)
	}
	if s.release.Verify != nil {
		return
	}
	for _, e := range s.release.Env {
		if e.Required {
			n.warn(inManifest("verify"), "ship a verify.py or verify.js that tries the values", "nothing checks what people enter: an activation is ready whatever they typed")
			return
		}
	}
}
