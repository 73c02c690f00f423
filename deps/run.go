package deps

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"majordomo/configs/humanize"
	"majordomo/sandbox"
	"majordomo/sandbox/runtimes"
)

const tmpName = ".majordomo-tmp" // in the connector's directory, for a build's temporary files: they can be large

// step is one run of npm or pip in a sandbox of its own.
type step struct {
	phase   string
	tool    runtimes.Runtime
	args    []string
	env     []string
	network sandbox.Network
	hosts   []string // of the network "list"
	private []string // what it may reach although private
	mounts  []sandbox.Mount
	hide    []string // values that must not appear in messages
}

// result is what a step that ran came to.
type result struct {
	exit    sandbox.Exit
	lines   []string // the last ones it printed
	refused []string // hosts it asked for and was not let out to
}

func (r result) ok() bool { return r.exit.Code == 0 && r.exit.Signal == "" }

// says is true when the step printed the text.
func (r result) says(text string) bool {
	return slices.ContainsFunc(r.lines, func(line string) bool { return strings.Contains(line, text) })
}

// inside is where the connector's directory is while it is built: where it will be when it runs, so that the paths that
// npm and pip write into their files stay true.
func (j *job) inside() string { return path.Join("/root/.skald/mcp", j.plan.pkg.ID) }

// run starts the step and returns when nothing of it is left alive. The error is nil when the tool ended by itself,
// however it ended.
func (j *job) run(ctx context.Context, s step) (result, error) {
	if j.phase != s.phase {
		j.enter(s.phase)
	}
	j.lines, j.refused = nil, nil
	p, err := j.o.Sandbox.Start(ctx, j.spec(s))
	if err != nil {
		return result{}, fmt.Errorf("cannot start %s: %w", s.tool.Name, err)
	}
	p.Stdin.Close()
	out := collect(p, s.hide, func(line string) { j.tell(Event{Phase: s.phase, Line: line}) })
	tooLarge := j.await(ctx, p)
	j.lines, j.refused = out.wait(), refusedHosts(p)
	if err := cmp.Or(ctx.Err(), tooLarge); err != nil {
		return result{}, err
	}
	return result{p.Exit(), j.lines, j.refused}, nil
}

// must is run for a step that has to succeed.
func (j *job) must(ctx context.Context, s step) (result, error) {
	r, err := j.run(ctx, s)
	if err == nil && !r.ok() {
		err = j.exitError(s.tool.Name, r)
	}
	return r, err
}

// exitError words how a tool ended, most of all when it did so without a word.
func (j *job) exitError(tool string, r result) error {
	switch {
	case r.exit.OOM:
		return fmt.Errorf("%s needed more memory than the %s that one install may use", tool, humanize.Bytes(j.o.Limits.Memory))
	case r.exit.Signal == "SIGXFSZ" || r.says("EFBIG") || r.says("File too large"):
		return fmt.Errorf("%s wrote a file of more than %s, which is all that one install may write (deps.disk)", tool, humanize.Bytes(j.o.Disk))
	case r.exit.Signal != "":
		return fmt.Errorf("%s was ended by %s", tool, r.exit.Signal)
	case len(r.lines) == 0:
		return fmt.Errorf("%s failed with exit code %d and printed nothing", tool, r.exit.Code)
	}
	return fmt.Errorf("%s failed with exit code %d", tool, r.exit.Code)
}

func (j *job) spec(s step) sandbox.Spec {
	uid := j.uid
	if !asRoot() {
		uid = 0
	}
	dirs := []string{filepath.Dir(s.tool.Path), "/usr/local/bin", "/usr/bin", "/bin"}
	env := append([]string{
		"PATH=" + strings.Join(dirs, ":"), "HOME=/root", "LANG=C.UTF-8", "TMPDIR=" + path.Join(j.inside(), tmpName),
	}, s.env...)
	limits := j.o.Limits
	limits.Size, limits.Disk = uint64(j.o.Disk), sandbox.Unwatched // watch does
	return sandbox.Spec{
		Name: "deps-" + j.plan.key[:16], Argv: s.tool.Command(s.args...), Env: env, Dir: j.inside(), UID: uid, GID: uid,
		Runtimes: s.tool.Prefixes, Network: s.network, Hosts: s.hosts, AllowPrivate: s.private, Limits: limits,
		Mounts: append([]sandbox.Mount{{Source: j.dir, Target: j.inside(), Writable: true}}, s.mounts...),
	}
}
