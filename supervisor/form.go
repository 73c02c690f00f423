package supervisor

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"majordomo/configs/manifest"
	"majordomo/supervisor/vault"
)

// maxValue is a bit less than what Linux takes for one environment variable.
const maxValue = 100 << 10

// values is what a member filled in, split by where it is kept.
type values struct {
	plain  map[string]string
	sealed map[string]vault.Secret
}

// with returns v changed by what a request gives: given values replace, others
// stay. A value goes where the form or the caller says it belongs.
func (v values) with(form []manifest.Env, set, secrets map[string]string) values {
	out := values{plain: map[string]string{}, sealed: map[string]vault.Secret{}}
	maps.Copy(out.plain, v.plain)
	maps.Copy(out.sealed, v.sealed)
	for name, value := range set {
		if i := field(form, name); i >= 0 && form[i].Secret {
			out.seal(name, value)
			continue
		}
		delete(out.sealed, name)
		out.plain[name] = value
	}
	for name, value := range secrets {
		out.seal(name, value)
	}
	return out
}

func (v values) seal(name, value string) {
	delete(v.plain, name)
	v.sealed[name] = vault.Conceal(value)
}

// complete adds the form's defaults for what is not given.
func (v values) complete(form []manifest.Env) values {
	out := v.with(nil, nil, nil)
	for _, f := range form {
		if _, given := out.get(f.Name); !given && f.Default != "" && !f.Required {
			out.plain[f.Name] = f.Default
		}
	}
	return out
}

func (v values) get(name string) (value string, given bool) {
	if s, ok := v.sealed[name]; ok {
		return s.Reveal(), true
	}
	value, given = v.plain[name]
	return value, given
}

func (v values) names() []string {
	return slices.Sorted(maps.Keys(v.all()))
}

// all is what reaches the process. The result must not be kept.
func (v values) all() map[string]string {
	all := maps.Clone(v.plain)
	if all == nil {
		all = map[string]string{}
	}
	for name, s := range v.sealed {
		all[name] = s.Reveal()
	}
	return all
}

// problems says everything that is wrong with v, without showing a value.
func (v values) problems(form []manifest.Env) []string {
	all := v.missing(form)
	var known []string
	for _, f := range form {
		known = append(known, f.Name)
	}
	for _, name := range v.names() {
		value, _ := v.get(name)
		switch {
		case field(form, name) < 0 && len(known) == 0:
			all = append(all, name+" is unknown: this connector asks for no values")
		case field(form, name) < 0:
			all = append(all, fmt.Sprintf("%s is unknown: this connector asks for %s", name, strings.Join(known, ", ")))
		case strings.ContainsRune(value, 0):
			all = append(all, name+" holds a zero byte, which no environment variable can")
		case len(value) > maxValue:
			all = append(all, fmt.Sprintf("%s is longer than %d KiB", name, maxValue>>10))
		}
	}
	return all
}

// missing says only what is demanded and not there: what a new release of a
// connector can make of values that were good.
func (v values) missing(form []manifest.Env) []string {
	var all []string
	for _, f := range form {
		if value, _ := v.get(f.Name); f.Required && value == "" {
			all = append(all, fmt.Sprintf("%s is required%s", f.Name, about(f)))
		}
	}
	return all
}

// within drops what the form does not ask for any more.
func (v values) within(form []manifest.Env) values {
	out := v.with(nil, nil, nil)
	unknown := func(name string) bool { return field(form, name) < 0 }
	maps.DeleteFunc(out.plain, func(name, _ string) bool { return unknown(name) })
	maps.DeleteFunc(out.sealed, func(name string, _ vault.Secret) bool { return unknown(name) })
	return out
}

func about(f manifest.Env) string {
	text := f.Description
	if text == "" {
		text = f.Label
	}
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

func field(form []manifest.Env, name string) int {
	return slices.IndexFunc(form, func(f manifest.Env) bool { return f.Name == name })
}
