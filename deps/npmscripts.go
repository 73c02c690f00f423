package deps

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"majordomo/sandbox"
)

// npmScripts runs what installing means for the packages, and then for the connector itself. It sees neither the network, unless
// granted, nor the cache, nor a credential.
func (j *job) npmScripts(ctx context.Context) error {
	packages, left := j.installScripts()
	own, leftToo := j.ownScripts()
	if left = append(names(left), leftToo...); len(left) > 0 {
		j.warn("install scripts were not run, as configured: %s", strings.Join(left, ", "))
	}
	for _, args := range j.scriptCommands(packages, own) {
		if _, err := j.must(ctx, j.scriptStep(args)); err != nil {
			return err
		}
	}
	return nil
}

// scriptCommands is what npm is called with, one after the other. Packages are named by their place: a name could be somebody
// else's too.
func (j *job) scriptCommands(packages, own []string) (commands [][]string) {
	rebuild := []string{"rebuild", "--foreground-scripts"}
	switch {
	case j.o.Scripts.String() == "allow":
		commands = append(commands, rebuild)
	case len(packages) > 0:
		for _, place := range packages {
			rebuild = append(rebuild, "./"+place)
		}
		commands = append(commands, rebuild)
	}
	for _, name := range own {
		commands = append(commands, []string{"run", name})
	}
	return commands
}

func (j *job) scriptStep(args []string) step {
	env, network := slices.Concat(npmDefaults(j.outside.npm), j.heap(), []string{"npm_config_cache=/tmp/npm"}), sandbox.NetworkNone
	var mounts []sandbox.Mount
	if j.o.ScriptsNetwork {
		env, network, mounts = append(env, j.outside.npm.env...), sandbox.NetworkOpen, j.outside.npm.mounts
	} else {
		env = append(env, "npm_config_offline=true")
	}
	if prefix := filepath.Dir(filepath.Dir(j.plan.node.Path)); isDir(prefix, "include/node") {
		env = append(env, "npm_config_nodedir="+prefix) // else node-gyp would download node's headers
	}
	return step{
		phase: phaseScripts, tool: j.plan.npm, args: args, env: env, network: network, private: j.outside.npm.private, mounts: mounts,
	}
}
