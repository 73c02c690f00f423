package deps

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"majordomo/sandbox"
)

const (
	phasePip      = "pip fetch"
	phasePipBuild = "pip build"
)

// pip installs wheels, which run nothing when they are installed. What has no wheel for this platform is built from source
// in a second try, which runs foreign code: with a cache that is thrown away, and without credentials, so that an index
// that asks for them has to offer wheels. Each try has a fresh directory: into an old one pip installs new names over old
// code.
func (j *job) pip(ctx context.Context) error {
	cache, err := j.cache("pip")
	if err != nil {
		return err
	}
	out := j.outside.pip
	wheels := j.pipStep(phasePip, "--only-binary=:all:")
	wheels.env = slices.Concat(wheels.env, out.secret, []string{"PIP_CACHE_DIR=" + cache.Target})
	wheels.mounts = append(wheels.mounts, cache)
	r, err := j.run(ctx, wheels)
	if err != nil || r.ok() {
		return err
	}
	if noWheel := r.says("No matching distribution found"); !noWheel || j.o.Scripts == ScriptsDeny || unanswered(r) {
		return exitError("pip", r)
	}
	if err := os.RemoveAll(filepath.Join(j.dir, ".pydeps")); err != nil {
		return err
	}
	_, err = j.must(ctx, j.pipStep(phasePipBuild, "--prefer-binary", "--no-cache-dir"))
	return err
}

func (j *job) pipStep(phase string, more ...string) step {
	out := j.outside.pip
	return step{
		phase: phase, tool: j.plan.pip,
		args:    append([]string{"install", "--target", ".pydeps", "-r", pipFile}, more...),
		env:     slices.Concat(pipDefaults, out.env),
		network: sandbox.NetworkOpen, mounts: slices.Clone(out.mounts), hide: out.hide,
	}
}

// unanswered is true when pip had to try again to reach somebody.
func unanswered(r result) bool { return r.says("Retrying (Retry(") }
