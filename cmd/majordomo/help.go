package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// group is some verbs under one heading of the help.
type group struct {
	title string
	verbs []*cobra.Command
}

// usageOf prints how a verb is written, below what it does.
func (a *app) usageOf(verb *cobra.Command) error {
	if verb.HasAvailableSubCommands() {
		a.say("Usage:\n  %s VERB [flags]", verb.CommandPath())
	} else {
		a.say("Usage:\n  %s", verb.UseLine())
	}
	if verb.HasExample() {
		a.say("\nExamples:\n%s", verb.Example)
	}
	for _, g := range a.groupsOf(verb) {
		a.say("\n%s:", g.title)
		for _, sub := range g.verbs {
			a.say("  %-11s %s", sub.Name(), sub.Short)
		}
	}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.AddFlagSet(verb.LocalFlags())
	flags.AddFlagSet(verb.InheritedFlags())
	a.say("\nFlags:\n%s", strings.TrimRight(flags.FlagUsages(), "\n"))
	if verb.HasAvailableSubCommands() {
		a.say("\n\"%s VERB --help\" says more about a verb.", verb.CommandPath())
	}
	return nil
}

func (a *app) groupsOf(verb *cobra.Command) []group {
	switch {
	case !verb.HasParent():
		return a.groups
	case verb.HasAvailableSubCommands():
		return []group{{"Verbs", verb.Commands()}}
	}
	return nil
}

func (a *app) helpVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB]",
		Short: "Show the manual of a verb",
		RunE: func(cmd *cobra.Command, args []string) error {
			verb, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return noSuchVerb(verb, rest[0])
			}
			verb.InitDefaultHelpFlag() // which only who runs has
			verb.InitDefaultVersionFlag()
			return verb.Help()
		},
	}
}

// ofVerbs makes a verb that has others, and cannot be run alone.
func ofVerbs(verb *cobra.Command, subs ...*cobra.Command) *cobra.Command {
	var names []string
	for _, sub := range subs {
		names = append(names, sub.Name())
	}
	verb.AddCommand(subs...)
	verb.Args = knownVerb
	verb.RunE = func(*cobra.Command, []string) error {
		return usage("cannot run %s alone: say %s; see: %s --help", verb.Name(), either(names), verb.CommandPath())
	}
	return verb
}

// knownVerb refuses what is no verb, which it would get as an argument.
func knownVerb(verb *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return noSuchVerb(verb, args[0])
}

func noSuchVerb(parent *cobra.Command, name string) error {
	path := strings.TrimSpace(strings.TrimPrefix(parent.CommandPath()+" "+name, parent.Root().Name()))
	parent.SuggestionsMinimumDistance = 2 // letters that are wrong
	var similar []string
	for _, known := range parent.SuggestionsFor(name) {
		similar = append(similar, parent.CommandPath()+" "+known)
	}
	if len(similar) == 0 {
		return usage("cannot run %s: there is no such verb; see: %s --help", path, parent.CommandPath())
	}
	return usage("cannot run %s: there is no such verb; did you mean: %s?", path, either(similar))
}

// either is a choice of several, in words.
func either(of []string) string {
	if len(of) == 1 {
		return of[0]
	}
	return fmt.Sprintf("%s or %s", strings.Join(of[:len(of)-1], ", "), of[len(of)-1])
}
