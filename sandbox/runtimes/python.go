package runtimes

import (
	"context"
)

// pythonAsks has python name itself, its pip included.
const pythonAsks = `import importlib.metadata as m, importlib.util as u, json, os, sys, sysconfig
try: pip, home = m.version("pip"), u.find_spec("pip").origin
except (m.PackageNotFoundError, AttributeError): pip = home = ""
try: libc = os.confstr("CS_GNU_LIBC_VERSION")
except (OSError, ValueError): libc = "musl"
print(json.dumps({"path": os.path.realpath(sys.executable), "prefix": sys.base_prefix, "pip": pip, "piphome": home,
  "version": "%d.%d.%d" % sys.version_info[:3],
  "abi": "%s %s %s" % (sysconfig.get_config_var("SOABI"), sysconfig.get_platform(), libc)}))`

// interpreter is a python, and the version of pip it can import.
type interpreter struct {
	runtime  Runtime
	pip      string
	evidence []string
}

// python takes the first interpreter that is new enough and has pip, so that a connector runs with the interpreter its
// dependencies were installed with; without any pip on the host, the first that is new enough.
func (f *Finder) python(ctx context.Context, name string) (Runtime, []string, error) {
	best, tried := f.interpreter(ctx)
	if best == nil {
		return Runtime{}, nil, missing(name, tried)
	}
	best.runtime.Name = name
	return best.runtime, best.evidence, nil
}

// pip is a module of the very interpreter that python finds.
func (f *Finder) pip(ctx context.Context) (Runtime, []string, error) {
	best, tried := f.interpreter(ctx)
	if best == nil {
		return Runtime{}, nil, missing("python3", tried)
	}
	if best.pip == "" || older(best.pip, needs["pip"].minimum) {
		return Runtime{}, nil, missing("pip", append(tried, best.runtime.Path+" has pip "+orNone(best.pip)))
	}
	pip := best.runtime
	// -I: neither the connector's own modules nor PYTHON variables get in pip's way.
	pip.Name, pip.Version, pip.Args = "pip", best.pip, []string{"-I", "-m", "pip"}
	return pip, best.evidence, nil
}

func orNone(version string) string {
	if version == "" {
		return "none"
	}
	return version
}

func (f *Finder) interpreter(ctx context.Context) (best *interpreter, tried []string) {
	for _, candidate := range append(f.candidates(ctx, "python3"), f.candidates(ctx, "python")...) {
		found, why := f.askPython(ctx, candidate)
		if why != "" {
			tried = append(tried, why)
			continue
		}
		if usable := found.pip != "" && !older(found.pip, needs["pip"].minimum); usable {
			return found, tried
		}
		if best == nil {
			best = found
		}
	}
	return best, tried
}

// askPython asks the candidate where the real interpreter is, and that one for the rest: a shim answers for what it
// leads to, and the python of a virtual environment has a pip that the real one lacks.
func (f *Finder) askPython(ctx context.Context, candidate string) (_ *interpreter, why string) {
	var is struct{ Path, Prefix, Version, Pip, PipHome, ABI string }
	if err := f.question(ctx, &is, candidate, "-I", "-c", pythonAsks); err != nil {
		return nil, err.Error()
	}
	if real := is.Path; real != candidate {
		if err := f.question(ctx, &is, real, "-I", "-c", pythonAsks); err != nil {
			return nil, err.Error()
		}
	}
	path, prefixes, why := f.settle(is.Path, is.Prefix, is.Version, "python3")
	if why != "" {
		return nil, candidate + ": " + why
	}
	found := &interpreter{runtime: Runtime{Path: path, Prefixes: prefixes, Version: is.Version, ABI: is.ABI}, pip: is.Pip}
	if is.Pip != "" { // else nothing is remembered, so that a pip that arrives is seen
		found.evidence = []string{candidate, path, is.PipHome}
	}
	return found, ""
}
