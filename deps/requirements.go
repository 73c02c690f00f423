package deps

import (
	"os"
	"path"
	"regexp"
	"strings"
)

// requires is false of a requirements.txt that asks for nothing, which pip refuses.
func requires(text string) bool {
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case word == "" || strings.HasPrefix(word, "#"):
		case !strings.HasPrefix(word, "-"):
			return true
		case strings.HasPrefix(word, "-r") || strings.HasPrefix(word, "--requirement"),
			strings.HasPrefix(word, "-e") || strings.HasPrefix(word, "--editable"):
			return true
		}
	}
	return false
}

var (
	included = re(`^[ \t]*(?:-r|--requirement)[ \t=]*(\S+)`)
	editable = regexp.MustCompile(`(?m)^([ \t]*)(?:-e|--editable)[ \t=]+`)
)

// requirementFiles are requirements.txt and what it includes, as paths in the package.
func requirementFiles(root *os.Root) map[string]bool {
	all := map[string]bool{}
	var add func(file string)
	add = func(file string) {
		text, err := root.ReadFile(file)
		if err != nil || all[file] {
			return // pip will say what is missing
		}
		all[file] = true
		for _, more := range included.FindAllStringSubmatch(string(text), -1) {
			add(path.Join(path.Dir(file), more[1]))
		}
	}
	add(pipFile)
	return all
}

// direct is an address that is a requirement, and not an option's.
var direct = regexp.MustCompile(`(?m)^[ \t]*(?:(?:-e|--editable)[ \t=]+)?(?:[^-#\s][^#\n]*?@[ \t]*)?((?:git\+)?[a-z]+://\S+)`)

// pipAddresses are the addresses that requirements files ask for, and no index.
func (j *job) pipAddresses() (all []string) {
	root, err := os.OpenRoot(j.dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	for file := range requirementFiles(root) {
		text, err := root.ReadFile(file)
		if err != nil {
			continue // pip will say what is missing
		}
		for _, m := range direct.FindAllStringSubmatch(strings.TrimPrefix(string(text), "\ufeff"), -1) {
			all = append(all, m[1])
		}
	}
	return all
}

// notEditable has pip install a folder where it was to link to it. A link is read from a .pth file, which Python looks for in no
// directory of PYTHONPATH, and a shared tree is no place to edit in.
func notEditable(text string) string { return editable.ReplaceAllString(text, "$1") }
