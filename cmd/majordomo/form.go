package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"
)

// formFlags are for what a person would enter in the activation form.
func formFlags(verb *cobra.Command, set, secret *[]string) {
	verb.Flags().StringArrayVar(set, "set", nil, "a value of the form, K=V; may be repeated")
	verb.Flags().StringArrayVar(secret, "secret", nil, "a secret of the form, K=@FILE or K=-; may be repeated")
}

func (a *app) form(ctx context.Context, set, secret []string) (values, secrets map[string]string, err error) {
	if values, err = pairs(set); err != nil {
		return nil, nil, err
	}
	if secrets, err = a.secrets(ctx, secret); err != nil {
		return nil, nil, err
	}
	for key := range secrets {
		if _, twice := values[key]; twice {
			return nil, nil, usage("cannot take %s twice: it was given with --set and with --secret", key)
		}
	}
	return values, secrets, nil
}

func pairs(given []string) (map[string]string, error) {
	values := map[string]string{}
	for _, pair := range given {
		key, value, found := strings.Cut(pair, "=")
		if !found || key == "" {
			return nil, usage("cannot read --set %q: write it as K=V", pair)
		}
		if _, twice := values[key]; twice {
			return nil, usage("cannot take --set %s twice", key)
		}
		values[key] = value
	}
	return values, nil
}
