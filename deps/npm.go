package deps

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"majordomo/sandbox"
)

const (
	phaseNPM     = "npm fetch"
	phaseScripts = "npm scripts"
	cacheInside  = "/root/.cache" // of the step that fetches
)

// npm fetches, and runs nothing of what it fetched; npmScripts does that.
func (j *job) npm(ctx context.Context) error {
	fetched, err := j.npmFetch(ctx)
	if err == nil {
		j.warnEngines(fetched)
		j.warnPlatforms()
	}
	return err
}

// npmFetch goes by the lockfile where there is one. Only a lockfile that does not fit package.json is a reason to go on
// without it: bytes that do not match their digest, or a registry that does not answer, are not.
func (j *job) npmFetch(ctx context.Context) (result, error) {
	cache, err := j.cache("npm")
	if err != nil {
		return result{}, err
	}
	login, err := j.logIn(j.outside.npm)
	if err != nil {
		return result{}, err
	}
	defer login.forget()
	install := j.npmStep(cache, login, "install")
	if !j.plan.locked {
		j.warn("there is no package-lock.json%s: the versions were chosen when this was installed", j.otherLock())
		return j.fresh(ctx, install)
	}
	r, err := j.byLockfile(ctx, j.npmStep(cache, login, "ci"))
	switch {
	case err != nil:
		return r, err
	case r.ok():
		return r, nil
	case r.says("code EUSAGE"):
		j.warn("package-lock.json %s, so other versions may be installed than were tested%s", misfit(r), drift(r))
		return j.fresh(ctx, install)
	}
	return r, j.exitError("npm ci", r)
}

// fresh is runFresh for a step that has to succeed.
func (j *job) fresh(ctx context.Context, s step) (result, error) {
	r, err := j.runFresh(ctx, s)
	if err == nil && !r.ok() {
		err = j.exitError("npm "+s.args[0], r)
	}
	return r, err
}

// runFresh runs the step, and once more past the cache when what the cache knows of a package is older than a version
// that is asked for.
func (j *job) runFresh(ctx context.Context, s step) (result, error) {
	r, err := j.run(ctx, s)
	if err == nil && r.says("code ETARGET") {
		s.args = slices.DeleteFunc(slices.Clone(s.args), func(arg string) bool { return arg == "--prefer-offline" })
		return j.run(ctx, s)
	}
	return r, err
}

func (j *job) npmStep(cache sandbox.Mount, l login, verb string) step {
	out := j.outside.npm
	return step{
		phase: phaseNPM, tool: j.plan.npm,
		args: []string{verb, "--omit=dev", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--loglevel=http"},
		// As a variable, ignore-scripts also reaches the npm that npm starts to prepare a dependency from git.
		env: slices.Concat(npmDefaults(out), out.env, j.heap(), []string{
			"npm_config_cache=" + cache.Target, "npm_config_ignore_scripts=true",
		}),
		network: sandbox.NetworkList, hosts: out.hosts, private: out.private,
		mounts: slices.Concat([]sandbox.Mount{cache}, l.mounts, out.mounts), hide: out.hide,
	}
}

// heap keeps node's heap within the memory of a build, which it cannot see for itself.
func (j *job) heap() []string {
	return []string{"NODE_OPTIONS=--max-old-space-size=" + strconv.FormatInt(j.o.Limits.Memory*3/4>>20, 10)}
}

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

// warnEngines passes on that a package asks for another node; npm installs it all the same.
func (j *job) warnEngines(r result) {
	var name string
	for _, line := range r.lines {
		_, rest, found := strings.Cut(line, "EBADENGINE ")
		if !found {
			continue
		}
		if _, value, is := strings.Cut(rest, "package: "); is {
			if name = strings.Trim(value, "', "); name == "undefined" {
				name = "the connector itself"
			}
		} else if _, value, is := strings.Cut(rest, "required: "); is {
			j.warn("%s asks for %s, and this host has node %s", name, strings.Trim(value, ", "), j.plan.node.Version)
		}
	}
}
