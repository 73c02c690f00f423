package runtimes

import (
	"context"
	"path/filepath"
)

// nodeAsks has node name itself. The report must not look up addresses, which can take seconds.
const nodeAsks = `process.report.excludeNetwork = true
const libc = process.report.getReport().header.glibcVersionRuntime
console.log(JSON.stringify({path: process.execPath, version: process.versions.node,
  abi: [process.versions.modules, process.platform, process.arch, libc ? "glibc " + libc : "musl"].join(" ")}))`

func (f *Finder) node(ctx context.Context) (Runtime, []string, error) {
	var tried []string
	for _, candidate := range f.candidates(ctx, "node") {
		var is struct{ Path, Version, ABI string }
		if err := f.question(ctx, &is, candidate, "-e", nodeAsks); err != nil {
			tried = append(tried, err.Error())
			continue
		}
		path, prefixes, why := f.settle(is.Path, filepath.Dir(filepath.Dir(is.Path)), is.Version, "node")
		if why != "" {
			tried = append(tried, candidate+": "+why)
			continue
		}
		return Runtime{Name: "node", Path: path, Prefixes: prefixes, Version: is.Version, ABI: is.ABI},
			[]string{candidate, path}, nil
	}
	return Runtime{}, nil, missing("node", tried)
}

// settle checks what an interpreter said of itself: its path without links, what has to be shown, or why it won't do.
func (f *Finder) settle(program, prefix, version, name string) (path string, prefixes []string, why string) {
	if minimum := needs[name].minimum; older(version, minimum) {
		return "", nil, "version " + version + " is too old"
	}
	if f.Inside != nil {
		return program, nil, ""
	}
	path, err := filepath.EvalSymlinks(program)
	if err != nil {
		return "", nil, err.Error()
	}
	if real, err := filepath.EvalSymlinks(prefix); err == nil {
		prefix = real
	}
	if prefixes, why = shown(prefix); why != "" {
		return "", nil, why
	}
	return path, prefixes, ""
}
