package supervisor

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
)

// probes try to read each argument and print one JSON array: "" for one that
// could be read, else what was said. They are one per interpreter, and a
// directory that can be listed counts as read.
var probes = map[string][]string{
	"node": {"-e", `const fs = require("fs")
console.log(JSON.stringify(process.argv.slice(1).map(p => {
  try { fs.statSync(p).isDirectory() ? fs.readdirSync(p) : fs.readFileSync(p); return "" } catch (e) { return e.message }
})))`, "--"},
	"python3": {"-c", `import json, os, sys
def read(p):
    try:
        os.listdir(p) if os.path.isdir(p) else open(p, "rb").read(1)
        return ""
    except OSError as e:
        return str(e)
print(json.dumps([read(p) for p in sys.argv[1:]]))`},
	"sh": {"-c", `out=
for p; do
  if { if [ -d "$p" ]; then ls "$p"; else head -c 1 "$p"; fi; } >/dev/null 2>&1; then r=; else r="cannot read it"; fi
  out="$out${out:+,}\"$r\""
done
echo "[$out]"`, "sh"},
}

// Probe makes the connector's own interpreter, in the very same sandbox, try
// to read a path and, to prove the probe itself, its own entry file.
func (s *Supervisor) Probe(ctx context.Context, member, connector, file string) (ProbeResult, error) {
	if _, err := s.known(ctx, member, connector); err != nil {
		return ProbeResult{}, err
	}
	p, err := s.prepare(ctx, key{member, connector})
	if err != nil {
		return ProbeResult{}, err
	}
	release := p.Plan.Package.Release
	command := release.Command
	if command == "python" {
		command = "python3"
	}
	control := path.Join(p.Plan.Dir(), release.Args[0])
	ctx, cancel := context.WithTimeout(ctx, s.limits.Load().StartTimeout)
	defer cancel()
	out, err := s.o.Launcher.Run(ctx, p.Plan, Command{Interpreter: slices.Concat(probes[command], []string{file, control})})
	if err != nil {
		return ProbeResult{}, fmt.Errorf("cannot probe %s: %w", connector, err)
	}
	return probed(connector, file, control, out)
}

// probed reads what a probe printed.
func probed(connector, file, control string, out Output) (ProbeResult, error) {
	var said []string
	if err := json.Unmarshal(out.Stdout, &said); err != nil || len(said) != 2 {
		return ProbeResult{}, fmt.Errorf("cannot probe %s: its interpreter %s: %s", connector, exitText(out.Exit), lastLine(string(out.Stderr)))
	}
	if said[1] != "" {
		return ProbeResult{}, fmt.Errorf("cannot probe %s: it cannot even read its own %s: %s", connector, control, said[1])
	}
	return ProbeResult{Path: file, Refused: said[0] != "", Error: strings.TrimSpace(said[0]), Control: control}, nil
}
