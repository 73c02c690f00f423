package deps

import (
	"os"
	"regexp"
	"slices"
	"strings"

	"majordomo/configs/manifest"
)

// selfRead are the files that npm and pip read by themselves.
var selfRead = slices.Concat([]string{npmFile, pipFile, ownConfig}, lockfiles)

// hooks are the scripts of a package itself that npm runs when it installs what the package needs.
var hooks = []string{"preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare", "prepublish"}

// byPath finds a dependency that is a path, in what npm reads.
var byPath = regexp.MustCompile(`"(file|link|portal|workspace):|"link"\s*:\s*true`)

// decisive are the files that make the tree: all of them, unless p is Lean and what npm and pip read names no others.
func decisive(root *os.Root, p Package) ([]manifest.File, error) {
	var few []manifest.File
	for _, f := range p.Files {
		switch {
		case !p.Lean, f.Path == "binding.gyp": // npm compiles by itself what has one
			return p.Files, nil
		case !slices.Contains(selfRead, f.Path):
			continue
		}
		file, _, err := openRegular(root, f.Path)
		if err != nil {
			return nil, err
		}
		file.Close()
		text, err := root.ReadFile(f.Path)
		if err != nil {
			return nil, err
		}
		if f.Path == pipFile && pipReadsMore(string(text)) || f.Path != pipFile && byPath.Match(text) {
			return p.Files, nil
		}
		if f.Path == npmFile && npmReadsMore(root) {
			return p.Files, nil
		}
		few = append(few, f)
	}
	return few, nil
}

// npmReadsMore is true of a package.json that may make npm read other files.
func npmReadsMore(root *os.Root) bool {
	p, err := readPackageJSON(root)
	if err != nil || p.Workspaces != nil {
		return true
	}
	for _, hook := range hooks {
		if p.Scripts[hook] != "" {
			return true
		}
	}
	for _, named := range []map[string]any{p.Dependencies, p.OptionalDependencies, p.PeerDependencies} {
		for _, version := range named {
			if text, _ := version.(string); strings.HasPrefix(text, ".") || strings.HasPrefix(text, "/") || strings.HasPrefix(text, "~/") {
				return true
			}
		}
	}
	return false
}

// pipReadsMore is true of a requirements.txt that may make pip read other files.
func pipReadsMore(text string) bool {
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "-") || strings.ContainsAny(line, `/\`) || strings.HasPrefix(line, ".") {
			return true
		}
	}
	return false
}
