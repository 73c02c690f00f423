package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// misuse says in a sentence what is wrong with a command line that no verb has begun with.
func misuse(verb *cobra.Command, err error) error {
	if _, said := errors.AsType[usageError](err); said {
		return err
	}
	name := strings.TrimPrefix(verb.CommandPath(), verb.Root().Name()+" ")
	return usage("cannot run %s: %s; see: %s --help", name, flagWords(err), verb.CommandPath())
}

// flagWords says an error of the flag library without the words of the language.
func flagWords(err error) string {
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if e.GetSpecifiedShortnames() != "" {
			return "there is no flag -" + e.GetSpecifiedName()
		}
		return "there is no flag --" + e.GetSpecifiedName()
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return "--" + e.GetFlag().Name + " wants a value"
	}
	e, ok := errors.AsType[*pflag.InvalidValueError](err)
	switch {
	case ok && errors.Is(e, strconv.ErrRange):
		return fmt.Sprintf("--%s %s: that is out of range", e.GetFlag().Name, e.GetValue())
	case ok:
		return fmt.Sprintf("--%s %s: want %s", e.GetFlag().Name, e.GetValue(), kindOf(e.GetFlag()))
	}
	return err.Error()
}

// kindOf is what a flag's value has to be.
func kindOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "duration":
		return "a time, such as 30s or 5m"
	case "bool":
		return "true or false"
	case "int", "int64":
		return "a whole number"
	}
	return "another value"
}
