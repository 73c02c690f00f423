package supervisor

import (
	"majordomo/configs/manifest"
	"majordomo/sandbox/egress"
	"majordomo/supervisor/activations"
)

// What an activation may reach (docs/security.md, The way out).

// asDeclared is what a request says to take back what a person chose.
const asDeclared = "default"

// reachOf changes what an activation may reach by what a request says of it.
func reachOf(was egress.Policy, r Request) (egress.Policy, error) {
	p := was
	switch r.Egress {
	case "":
	case asDeclared:
		p.Mode, p.Hosts = "", nil
	default:
		said, err := egress.Parse(r.Egress)
		if err != nil {
			return was, &Invalid{What: "activate " + r.Connector, Problems: []string{err.Error()}}
		}
		p.Mode, p.Hosts = said.Mode, said.Hosts
	}
	if r.AllowPrivate != nil {
		p.AllowPrivate = r.AllowPrivate
	}
	check := p
	if check.Mode == "" {
		check.Mode = egress.Open
	}
	if err := check.Validate(); err != nil {
		return was, &Invalid{What: "activate " + r.Connector, Problems: []string{err.Error()}}
	}
	return p, nil
}

// reach is what an activation may reach: what a person said, else what its connector declares, else every public host.
func reach(act activations.Activation, r manifest.Release) egress.Policy {
	p := act.Egress
	if p.Mode == "" {
		p.Mode = egress.Open
		if r.Egress != nil {
			p.Mode, p.Hosts = egress.List, r.Egress
		}
	}
	return p
}
