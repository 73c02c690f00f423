package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// What a verb takes beside its flags.

func oneArgument(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("it takes 1 argument, and %d were given", len(args))
	}
	return nil
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

// oneFolder is oneArgument for verbs that work on what an author wrote.
func oneFolder(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("it works on one folder, and %d were named", len(args))
	}
	return nil
}

// memberFlag gives a verb --member with the rule that all of them share.
func memberFlag(verb *cobra.Command, member *string) {
	verb.Flags().StringVar(member, "member", "", "whose (default: yours, else the household's only member)")
}
