package runtimes

import (
	"context"
	"encoding/json"
	"strings"
)

// The runtimes of an image are not this host's to look at: everything is asked of programs that run in it. What they say of their own
// places is taken as it is, for nothing of this host is shown because of it.

// insideAsks names those of the programs in "$@" that are there.
const insideAsks = `for f; do [ -f "$f" ] && [ -x "$f" ] && printf '%s:' "$f"; done; echo`

func (f *Finder) candidatesInside(ctx context.Context, name string) []string {
	ask := []string{"/bin/sh", "-c", insideAsks, "sh"}
	for _, dir := range []string{"/usr/local/bin", "/usr/bin", "/bin"} {
		ask = append(ask, dir+"/"+name)
	}
	line, err := f.say(ctx, ask...)
	if err != nil {
		return ask[len(ask)-1:] // asked all the same, it says what is wrong
	}
	return strings.FieldsFunc(line, func(r rune) bool { return r == ':' })
}

// npmAsks has node look for an npm where one may be, its own first.
const npmAsks = `const fs = require("fs"), path = require("path")
for (const home of [path.join(process.execPath, "../../lib/node_modules/npm"), "/usr/share/nodejs/npm", "/usr/lib/node_modules/npm"]) try {
  const cli = fs.realpathSync(home + "/bin/npm-cli.js")
  console.log(JSON.stringify({cli, version: JSON.parse(fs.readFileSync(path.join(cli, "../../package.json"))).version})); process.exit()
} catch (e) {}
console.log("{}")`

func (f *Finder) npmInside(ctx context.Context, node Runtime) (Runtime, error) {
	var is struct{ CLI, Version string }
	line, err := f.say(ctx, node.Path, "-e", npmAsks)
	if err == nil {
		err = json.Unmarshal([]byte(line), &is)
	}
	switch {
	case err != nil:
		return Runtime{}, missing("npm", []string{err.Error()})
	case is.CLI == "":
		return Runtime{}, missing("npm", []string{"the image has none"})
	case older(is.Version, needs["npm"].minimum):
		return Runtime{}, missing("npm", []string{"version " + is.Version + " is too old"})
	}
	npm := node
	npm.Name, npm.Version, npm.Args = "npm", is.Version, []string{is.CLI}
	return npm, nil
}
