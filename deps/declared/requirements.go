package declared

import (
	"iter"
	"regexp"
	"strings"
)

// Requirements is the text of a requirements.txt.
type Requirements string

var comment = regexp.MustCompile(`(^|\s+)#.*$`)

// Lines are the lines as pip takes them, by the number of the first of them in the file: continued lines joined, comments and empty
// lines left out.
func (r Requirements) Lines() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		joined, first, number := "", 1, 0
		for line := range strings.Lines(string(withoutBOM([]byte(r)))) {
			number++
			line = strings.TrimRight(line, "\r\n")
			start, continued := strings.CutSuffix(line, `\`)
			if continued && !strings.HasPrefix(strings.TrimSpace(line), "#") {
				joined += start
				continue
			}
			if whole := withoutComment(joined + line); whole != "" && !yield(first, whole) {
				return
			}
			joined, first = "", number+1
		}
		if whole := withoutComment(joined); whole != "" {
			yield(first, whole)
		}
	}
}

func withoutComment(line string) string { return strings.TrimSpace(comment.ReplaceAllString(line, "")) }

var (
	included  = regexp.MustCompile(`^(?:-r|--requirement)[ \t=]*(\S+)`)
	editable  = regexp.MustCompile(`(?m)^([ \t]*)(?:-e|--editable)[ \t=]+`)
	addressed = regexp.MustCompile(`^(?:(?:-e|--editable)[ \t=]+)?(?:[^-#\s][^#\n]*?@[ \t]*)?((?:git\+)?[a-z]+://\S+)`)
)

// Empty is true of a file that asks for nothing, which pip refuses.
func (r Requirements) Empty() bool {
	for _, line := range r.Lines() {
		if !strings.HasPrefix(line, "-") || included.MatchString(line) || editable.MatchString(line) {
			return false
		}
	}
	return true
}

// Included are the paths of the requirements files that this one includes, relative to its own directory.
func (r Requirements) Included() (paths []string) {
	for _, line := range r.Lines() {
		if m := included.FindStringSubmatch(line); m != nil {
			paths = append(paths, m[1])
		}
	}
	return paths
}

// Addresses are those that the file asks for, and not those of indexes.
func (r Requirements) Addresses() (all []string) {
	for _, line := range r.Lines() {
		if m := addressed.FindStringSubmatch(line); m != nil {
			all = append(all, m[1])
		}
	}
	return all
}

// NotEditable has pip install a folder where it was to link to it. A link is read from a .pth file, which Python looks for in no
// directory of PYTHONPATH, and a shared tree is no place to edit in.
func (r Requirements) NotEditable() Requirements {
	return Requirements(editable.ReplaceAllString(string(r), "$1"))
}

// requirement is the name, with extras, and the rest of a line.
var requirement = regexp.MustCompile(`^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*((?:\[[^\]]*\])?.*)$`)

// Versions are the projects that the file names and what it says of their versions, for people. Lines that name no project, such as
// options and bare addresses, are left out.
func (r Requirements) Versions() map[string]string {
	all := map[string]string{}
	for _, line := range r.Lines() {
		line, _, _ = strings.Cut(line, " --") // hashes and such
		m := requirement.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil || strings.Contains(m[2], "://") && !strings.Contains(m[2], "@") {
			continue
		}
		all[NormalName(m[1])] = strings.TrimSpace(m[2])
	}
	return all
}

var separators = regexp.MustCompile(`[-_.]+`)

// NormalName is the one way to write the name of a project (PEP 503).
func NormalName(project string) string {
	return separators.ReplaceAllString(strings.ToLower(project), "-")
}
