package deps

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"majordomo/deps/declared"
	"majordomo/sandbox"
)

const (
	phasePip      = "pip fetch"
	phasePipBuild = "pip build"
)

// fetchOnly is pip in a process that cannot start another one. Wheels run nothing when they are installed, but pip builds
// what a requirement names by address or folder whatever it is told about wheels.
const fetchOnly = `import runpy, sys
def refuse(event, args):
    if event in ("subprocess.Popen", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system"):
        raise PermissionError("` + notBuilt + `")
sys.addaudithook(refuse)
runpy.run_module("pip", run_name="__main__", alter_sys=True)`

const notBuilt = "nothing is built in this phase"

// pip installs wheels. What has none for this platform, or is a source by itself, is built in a second try, which runs
// foreign code: with a cache that is thrown away, and without credentials, so that an index that asks for them has to
// offer wheels. Each try has a fresh directory: into an old one pip installs new names over old code.
func (j *job) pip(ctx context.Context) error {
	cache, err := j.cache("pip")
	if err != nil {
		return err
	}
	login, err := j.logIn(j.outside.pip)
	if err != nil {
		return err
	}
	defer login.forget()
	wheels := j.pipStep(phasePip, "--only-binary=:all:")
	wheels.tool.Args = []string{"-I", "-c", fetchOnly}
	wheels.env = slices.Concat(wheels.env, j.outside.pip.secret, []string{"PIP_CACHE_DIR=" + cache.Target})
	wheels.mounts = append(append(wheels.mounts, cache), login.mounts...)
	r, err := j.runLogged(ctx, wheels)
	login.forget()
	if err != nil || r.ok() {
		return err
	}
	sources := r.says("No matching distribution found") && !refused(r) || r.says(notBuilt)
	build, allowed := j.buildArgs(r)
	if !sources || !allowed {
		return j.exitError("pip", r)
	}
	if err := Remove(filepath.Join(j.dir, ".pydeps")); err != nil {
		return err
	}
	built, err := j.must(ctx, j.pipStep(phasePipBuild, append(build, "--no-cache-dir")...))
	if err != nil {
		j.lines = append(notes(r), j.lines...) // why there was no wheel
	}
	if len(built.refused) > 0 {
		j.warn("the build of a Python package tried to reach %s, and was not let out to it", strings.Join(built.refused, ", "))
	}
	return err
}

// buildArgs lets pip build what may be built. pip builds whatever is required by address or folder, so where only some
// packages may, nothing of that kind may be there.
func (j *job) buildArgs(tried result) (args []string, allowed bool) {
	only := j.o.Scripts.Only
	switch {
	case j.o.Scripts.Deny:
		return nil, false
	case len(only) == 0:
		return []string{"--prefer-binary"}, true
	}
	text, err := os.ReadFile(filepath.Join(j.dir, declared.RequirementsFile))
	if err != nil || tried.says(notBuilt) || strings.Contains(string(text), "://") || strings.Contains("\n"+string(text), "\n-r") {
		return nil, false
	}
	return []string{"--only-binary=:all:", "--no-binary=" + strings.Join(only, ",")}, true
}

func (j *job) pipStep(phase string, more ...string) step {
	out := j.outside.pip
	return step{
		phase: phase, tool: j.plan.pip,
		args:    append([]string{"install", "--target", ".pydeps", "-r", declared.RequirementsFile}, more...),
		env:     slices.Concat(pipDefaults, out.env),
		network: sandbox.NetworkList, hosts: out.hosts, private: out.private,
		mounts: slices.Clone(out.mounts), hide: out.hide,
	}
}
