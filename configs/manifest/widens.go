package manifest

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Kinds of Change.
const (
	ChangeSecret  = "secret"
	ChangeMount   = "mount"
	ChangeEgress  = "egress"
	ChangeType    = "type"
	ChangeScope   = "scope"
	ChangeAuth    = "auth"
	ChangeCommand = "command"
	ChangeVerify  = "verify"
	ChangeCode    = "code"
)

// Change is one way in which a release reaches for more than the one before it,
// or for something else.
type Change struct {
	Kind string `json:"kind"` // secret | mount | egress | type | scope | auth | command | verify | code
	What string `json:"what"` // in words, for a person who has to agree
}

// Widens lists what next reaches for and old did not. Other bytes in a file that
// was there before are not among it: that is what every update brings. Where it
// cannot be told which of two is more, as with ways to sign in, any difference
// counts.
func Widens(old, next Release) []Change {
	var d difference
	for _, e := range next.Env {
		was := slices.IndexFunc(old.Env, func(o Env) bool { return o.Name == e.Name && o.Secret })
		d.add(ChangeSecret, e.Secret && was < 0, "it asks for the secret %s", e.Name)
	}
	for _, m := range next.Mounts {
		d.add(ChangeMount, !slices.Contains(old.Mounts, m), "it wants to see the member's own %s", m)
	}
	d.reach(old.Egress, next.Egress)
	d.moved(ChangeType, "type", old.Source, next.Source)
	d.moved(ChangeScope, "scope", old.Scope, next.Scope)
	d.moved(ChangeAuth, "way to sign in", old.Auth.words(), next.Auth.words())
	if old.Source == next.Source {
		d.moved(ChangeCommand, "command", old.command(), next.command())
	}
	if next.Verify != nil {
		d.moved(ChangeVerify, "check of values", old.Verify.words(), next.Verify.words())
	}
	for _, f := range next.Files {
		_, had := old.File(f.Path)
		d.add(ChangeCode, !had && f.mayRun(), "it brings a new file that may run: %s", f.Path)
	}
	return d
}

type difference []Change

func (d *difference) add(kind string, is bool, format string, args ...any) {
	if is {
		*d = append(*d, Change{kind, fmt.Sprintf(format, args...)})
	}
}

func (d *difference) moved(kind, what, from, to string) {
	d.add(kind, from != to, "its %s was %s and becomes %s", what, cmp.Or(from, "none"), cmp.Or(to, "none"))
}

// reach compares what is declared. Who declares nothing reaches for everything.
func (d *difference) reach(old, next []string) {
	if old == nil {
		return
	}
	d.add(ChangeEgress, next == nil, "it no longer says which hosts it has to reach, and may reach any")
	for _, host := range next {
		d.add(ChangeEgress, !slices.Contains(old, host), "it wants to reach %s", host)
	}
}

func (r Release) command() string {
	if r.Source == SourceRemote {
		return r.URL
	}
	return strings.Join(append([]string{r.Command}, r.Args...), " ")
}

func (a Auth) words() string {
	words := append([]string{a.Kind, a.Provider}, slices.Sorted(slices.Values(a.Scopes))...)
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

func (v *Verify) words() string {
	if v == nil {
		return ""
	}
	return v.Command
}

// inert are endings of words for people. Anything else may run: an interpreter asks for no
// ending, and package.json brings other people's code.
var inert = []string{".md", ".txt", ".csv", ".html", ".css"}

// mayRun counts requirements.txt in: it brings other people's code.
func (f File) mayRun() bool {
	return !f.HostOnly() && (f.Path == "requirements.txt" || !slices.Contains(inert, strings.ToLower(path.Ext(f.Path))))
}
