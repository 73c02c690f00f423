package author

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"majordomo/configs/manifest"
)

// checkDependencyFile: dependencies[] and setup_instructions[] are shown and install
// nothing (guide §5).
func checkDependencyFile(s subject, n notes) {
	for i, step := range s.manifest.list("setup_instructions") {
		if found := installStep.FindString(fmt.Sprint(step)); found != "" {
			n.warn(inManifest("setup_instructions[%d]", i), "remove it: what the dependency file declares is installed by itself", "%s is nobody's to do", found)
		}
	}
	if s.manifest.empty("dependencies") || s.release.Source != manifest.SourceLocal || s.ships("requirements.txt") {
		return
	}
	if !s.ships("package.json") {
		n.warn(inManifest("dependencies"), "ship a package.json or a requirements.txt", "it installs nothing, and there is no file that does")
		return
	}
	pkg, err := readDocument(s.root, s.folder, "package.json")
	if deps, _ := pkg.value("dependencies").(map[string]any); err == nil && len(deps) == 0 {
		n.warn(inManifest("dependencies"), "declare them under dependencies in package.json", "it installs nothing, and package.json has no dependencies that are installed")
	}
}

var installStep = regexp.MustCompile(`(?i)\b(npm (install|i|ci)|pip3? install|npx|uvx|yarn|pnpm)\b`)

var locks = []string{"npm-shrinkwrap.json", "package-lock.json"}

// checkLockfile: with a lockfile every install brings the same bytes (guide §5).
func checkLockfile(s subject, n notes) {
	if !s.ships("package.json") {
		return
	}
	pkg, err := readDocument(s.root, s.folder, "package.json")
	if err != nil {
		n.fail(place{"package.json", ""}, "correct it: npm could not read it either", "%v", err)
		return
	}
	if deps, _ := pkg.value("dependencies").(map[string]any); len(deps) == 0 {
		return
	}
	fix := "npm install --package-lock-only --ignore-scripts --omit-lockfile-registry-resolved=true"
	locked := false
	for _, name := range locks {
		if !s.ships(name) {
			continue
		}
		locked = true
		lock, err := readDocument(s.root, s.folder, name)
		switch {
		case err != nil:
			n.fail(place{name, ""}, fix, "%v", err)
		case strings.Contains(string(lock.members["packages"]), `"resolved"`) && hasAddress(lock.members["packages"]):
			n.warn(place{name, "packages"}, fix, "it has addresses, so it installs from one registry whatever the host is configured for")
		}
	}
	if !locked {
		n.warn(place{"package.json", "dependencies"}, fix, "there is no lockfile beside it, so two installs may differ")
	}
}

func hasAddress(packages jsontext.Value) bool {
	var all map[string]struct {
		Resolved string `json:"resolved"`
	}
	if json.Unmarshal(packages, &all) != nil {
		return false
	}
	for _, p := range all {
		if strings.Contains(p.Resolved, "://") {
			return true
		}
	}
	return false
}

// checkPinned: without exact versions two installs may differ (guide §5).
func checkPinned(s subject, n notes) {
	const name = "requirements.txt"
	data, err := read(s.root, path.Join(s.folder, name), manifest.MaxFile)
	if err != nil {
		return
	}
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		line, _, _ = strings.Cut(strings.TrimSpace(line), " #")
		at := place{name, fmt.Sprintf("line %d", number)}
		switch {
		case line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "--hash"):
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
