package runtimes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// npm is a program for the node that runs the connector, so that what it compiles fits. It comes with a node, or from
// Debian's own package; what a version manager puts on the PATH is asked where it lives.
func (f *Finder) npm(ctx context.Context) (Runtime, []string, error) {
	node, err := f.Find(ctx, "node")
	if err != nil {
		return Runtime{}, nil, err
	}
	if f.Inside != nil {
		npm, err := f.npmInside(ctx, node)
		return npm, nil, err
	}
	var tried []string
	for _, cli := range f.npmPlaces(ctx, node) {
		npm, err := npmFor(node, cli)
		if err == nil {
			return npm, []string{node.Path, cli, filepath.Join(npmHome(cli), "package.json")}, nil
		}
		tried = append(tried, npmHome(cli)+": "+err.Error())
	}
	return Runtime{}, nil, missing("npm", tried)
}

// npmFor is the npm at cli, run by node.
func npmFor(node Runtime, cli string) (Runtime, error) {
	version, err := npmVersion(cli)
	if err != nil {
		return Runtime{}, err
	}
	if older(version, needs["npm"].minimum) {
		return Runtime{}, fmt.Errorf("version %s is too old", version)
	}
	npm := node
	npm.Name, npm.Version, npm.Args = "npm", version, []string{cli}
	if inSystem(cli) {
		return npm, nil
	}
	prefix, standard := strings.CutSuffix(npmHome(cli), "/lib/node_modules/npm")
	if !standard {
		return Runtime{}, fmt.Errorf("it is not in the lib/node_modules of a node")
	}
	prefixes, refused := shown(prefix)
	if refused != "" {
		return Runtime{}, errors.New(refused)
	}
	npm.Prefixes = slices.Compact(slices.Concat(node.Prefixes, prefixes))
	return npm, nil
}

// npmHome is the directory of npm's own package.
func npmHome(cli string) string { return filepath.Dir(filepath.Dir(cli)) }

// npmPlaces are the npm-cli.js of this host, nearest first: node's own, Debian's, then what the PATH leads to.
func (f *Finder) npmPlaces(ctx context.Context, node Runtime) []string {
	places := []string{
		filepath.Join(filepath.Dir(filepath.Dir(node.Path)), "lib/node_modules/npm/bin/npm-cli.js"),
		"/usr/share/nodejs/npm/bin/npm-cli.js",
	}
	places = existing(places)
	if len(places) > 0 {
		return places
	}
	for _, candidate := range f.candidates(ctx, "npm") {
		if path, err := filepath.EvalSymlinks(candidate); err == nil && filepath.Base(path) == "npm-cli.js" {
			places = append(places, path)
		} else if said, err := f.say(ctx, candidate, "exec", "--offline", "-c", `printf '%s\n' "$npm_execpath"`); err == nil {
			places = append(places, said)
		}
	}
	return existing(places)
}

// existing resolves the links of those files that exist.
func existing(files []string) []string {
	var all []string
	for _, file := range files {
		if path, err := filepath.EvalSymlinks(file); err == nil && strings.HasSuffix(path, "/bin/npm-cli.js") {
			all = append(all, path)
		}
	}
	return all
}

// npmVersion reads what npm would say, without the 200 ms that it takes to say it.
func npmVersion(cli string) (string, error) {
	data, err := os.ReadFile(filepath.Join(npmHome(cli), "package.json"))
	if err != nil {
		return "", err
	}
	var is struct{ Version string }
	if err := json.Unmarshal(data, &is); err != nil || is.Version == "" {
		return "", fmt.Errorf("its package.json names no version")
	}
	return is.Version, nil
}
