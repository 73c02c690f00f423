package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// What a verb takes beside its flags.

func noArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("it takes no argument, and %q was given", args[0])
	}
	return nil
}

// oneArgument takes what the usage line names.
func oneArgument(verb *cobra.Command, args []string) error {
	_, wanted, _ := strings.Cut(verb.Use, " ")
	what := strings.Trim(strings.Fields(wanted)[0], "[]")
	switch len(args) {
	case 0:
		return fmt.Errorf("no %s was given; write it as: %s %s", what, verb.CommandPath(), wanted)
	case 1:
		return nil
	}
	return fmt.Errorf("it takes one %s, and %d were given", what, len(args))
}

// oneID takes the one argument that becomes a part of a request's path. No id is one of these, and the path would be another.
func oneID(verb *cobra.Command, args []string) error {
	if err := oneArgument(verb, args); err != nil {
		return err
	}
	switch args[0] {
	case "", ".", "..":
		return fmt.Errorf("%q is no id", args[0])
	}
	return nil
}

func atMostOneID(verb *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return oneID(verb, args)
}

// memberFlag gives a verb --member with the rule that all of them share.
func memberFlag(verb *cobra.Command, member *string) {
	verb.Flags().StringVar(member, "member", "", "whose (default: yours, else the household's only member)")
}
