package deps

import (
	"context"
	"slices"
	"strconv"

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
		return j.mustPastCache(ctx, install)
	}
	r, err := j.npmCI(ctx, j.npmStep(cache, login, "ci"))
	switch {
	case err != nil:
		return r, err
	case r.ok():
		return r, nil
	case r.says("code EUSAGE"):
		j.warn("package-lock.json %s, so other versions may be installed than were tested%s", misfit(r), drift(r))
		return j.mustPastCache(ctx, install)
	}
	return r, j.exitError("npm ci", r)
}

// mustPastCache is runPastCache for a step that has to succeed.
func (j *job) mustPastCache(ctx context.Context, s step) (result, error) {
	r, err := j.runPastCache(ctx, s)
	if err == nil && !r.ok() {
		err = j.exitError("npm "+s.args[0], r)
	}
	return r, err
}

// runPastCache runs the step, and once more past the cache when what the cache knows of a package is older than a version
// that is asked for.
func (j *job) runPastCache(ctx context.Context, s step) (result, error) {
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
