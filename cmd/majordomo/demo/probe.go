package demo

import (
	"context"
	"fmt"
	"os"

	"majordomo/configs"
	"majordomo/supervisor/api"
)

// probe lets the connector's own interpreter try, in the very same sandbox, to read what it must not see. A refusal
// proves something only if the file is there, and if the same run could read the connector's own file.
func (v *visit) probe(ctx context.Context) (string, error) {
	if err := v.layers(ctx); err != nil {
		return "", err
	}
	note := ""
	for _, path := range []string{configs.Paths{State: v.place.state}.VaultKey(), "/etc/shadow"} {
		if _, err := os.Lstat(path); err != nil {
			return "", fmt.Errorf("cannot probe the sandbox: there is nothing to read: %w", err)
		}
		p, err := v.control.Probe(ctx, v.id, api.ProbeRequest{Member: v.member, Path: path})
		switch {
		case err != nil:
			return "", err
		case !p.Refused:
			return "", fmt.Errorf("the sandbox has a hole: %s could read %s", v.id, path)
		case p.Control == "":
			return "", fmt.Errorf("cannot trust the probe: %s could not even read its own file: %s", v.id, p.Error)
		}
		if note == "" {
			note = "it reads " + p.Control + "; refused: "
		} else {
			note += "; "
		}
		note += oneLine(p.Error)
	}
	return note, nil
}

// layers notes what the daemon found in force around the running process.
func (v *visit) layers(ctx context.Context) error {
	status, err := v.control.Status(ctx)
	if err != nil {
		return err
	}
	for _, i := range status.Instances {
		if i.Connector == v.id && i.Member == v.member {
			v.result.Sandbox = Sandbox{i.Sandbox.Layers, i.Sandbox.Missing}
		}
	}
	if len(v.result.Sandbox.Layers) == 0 {
		return fmt.Errorf("cannot find a sandbox layer in force around %s", v.id)
	}
	return nil
}
