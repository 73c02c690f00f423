package deps

import (
	"os"
	"path"

	"majordomo/deps/declared"
)

// requirementFiles are requirements.txt and what it includes, as paths in the package.
func requirementFiles(root *os.Root) map[string]declared.Requirements {
	all := map[string]declared.Requirements{}
	var add func(file string)
	add = func(file string) {
		text, err := root.ReadFile(file)
		if _, known := all[file]; err != nil || known {
			return // pip will say what is missing
		}
		all[file] = declared.Requirements(text)
		for _, more := range all[file].Included() {
			add(path.Join(path.Dir(file), more))
		}
	}
	add(declared.RequirementsFile)
	return all
}

// pipAddresses are the addresses that requirements files ask for, and no index.
func (j *job) pipAddresses() (all []string) {
	root, err := os.OpenRoot(j.dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	for _, text := range requirementFiles(root) {
		all = append(all, text.Addresses()...)
	}
	return all
}
