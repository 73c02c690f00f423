package conformance

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"majordomo/configs/manifest"
)

// values fill in the form: what must be given by its example, and what need not
// be as the daemon does.
func (p *place) values() map[string]string {
	all := map[string]string{}
	for _, e := range p.release.Env {
		switch {
		case e.Required:
			all[e.Name] = cmp.Or(e.Example, "test")
		case e.Default != "":
			all[e.Name] = e.Default
		}
	}
	maps.Copy(all, p.o.Set)
	maps.Copy(all, p.o.Secrets)
	return all
}

// secrets are the values that somebody gave to keep to himself: those of o.Secrets,
// and those of secret fields however they were given.
func (p *place) secrets() []string {
	all := slices.Collect(maps.Values(p.o.Secrets))
	for _, e := range p.release.Env {
		if value := p.o.Set[e.Name]; e.Secret && value != "" {
			all = append(all, value)
		}
	}
	return all
}

// UnknownFieldError says that the activation form has no such field.
type UnknownFieldError struct {
	Name string
	Form []string // the fields that it has
}

func (e *UnknownFieldError) Error() string {
	if len(e.Form) == 0 {
		return "cannot set " + e.Name + ": the connector's form has no fields"
	}
	return "cannot set " + e.Name + ": the connector's form has only " + strings.Join(e.Form, ", ")
}

// checkForm refuses what the daemon would refuse.
func checkForm(form []manifest.Env, given ...map[string]string) error {
	var names []string
	for _, e := range form {
		names = append(names, e.Name)
	}
	for _, values := range given {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if !slices.Contains(names, name) {
				return &UnknownFieldError{name, names}
			}
		}
	}
	return nil
}
