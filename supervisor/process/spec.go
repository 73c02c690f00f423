package process

import (
	"cmp"
	"context"
	"fmt"
	"maps"

	"majordomo/deps/delivery"
	"majordomo/deps/guard"
	"majordomo/deps/inside"
	"majordomo/sandbox"
	"majordomo/sandbox/egress"
	"majordomo/sandbox/runtimes"
	"majordomo/supervisor"
)

// prepare makes the directories of a plan and the Spec that everything of it
// runs in: the connector, its check and the probe.
func (l *Launcher) prepare(ctx context.Context, p supervisor.Plan) (sandbox.Spec, runtimes.Runtime, error) {
	runtime, err := l.o.Runtimes.Find(ctx, p.Package.Release.Command)
	if err != nil {
		return sandbox.Spec{}, runtime, err
	}
	c := l.inside(p, runtime)
	c.Copied = l.o.Delivery.Choose(ctx).Way != delivery.Bind
	if err := guard.Write(l.o.Paths); err != nil {
		return sandbox.Spec{}, runtime, err
	}
	if err := l.makeHome(ctx, p, c); err != nil {
		return sandbox.Spec{}, runtime, fmt.Errorf("cannot prepare the directory of %s: %w", p.Connector, err)
	}
	return sandbox.Spec{
		Name:     specName(p),
		Env:      c.Env(l.values(p)),
		Dir:      p.Dir(),
		UID:      p.UID,
		GID:      p.GID,
		Runtimes: runtime.Prefixes,
		Mounts:   c.Mounts(),
		Network:  sandbox.Network(cmp.Or(p.Egress.Mode, egress.Open)),
		Hosts:    p.Egress.Hosts,
		Limits:   *l.limits.Load(),
		Pool:     p.Member,

		AllowPrivate: p.Egress.AllowPrivate,
	}, runtime, nil
}

// specName is for people who look at host names and control groups.
func specName(p supervisor.Plan) string {
	name := p.Name + "." + p.Member
	return name[:min(len(name), 64)]
}

// inside is what the connector finds.
func (l *Launcher) inside(p supervisor.Plan, r runtimes.Runtime) inside.Connector {
	return inside.Connector{
		Paths: l.o.Paths, Member: p.Member, Name: p.Name, Package: p.Package.Dir, Release: p.Package.Release,
		Tree: p.Tree, Runtime: r, Memory: l.limits.Load().Memory,
	}
}

// values are those of the form, its secrets unsealed, which win over the household's proxies.
func (l *Launcher) values(p supervisor.Plan) map[string]string {
	all := inside.Proxies(l.o.Environ, p.Egress.AllowPrivate)
	maps.Copy(all, p.Values)
	for name, secret := range p.Secrets {
		all[name] = secret.Reveal()
	}
	return all
}
