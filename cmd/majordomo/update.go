package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"majordomo/install"
	"majordomo/supervisor/api"
)

func (a *app) updateVerb() *cobra.Command {
	r := api.InstallRequest{Update: true}
	var all, dry bool
	verb := &cobra.Command{
		Use:   "update ID | --all",
		Short: "Put the feed's newer version of a connector in place",
		Long: `Installs what the feed offers in place of what is installed, if its version number is higher, and restarts every
running copy. Where a copy that ran before does not start with the new version, the old version is put back by itself,
everything is restarted, and the exit code is 1. A copy that the new version asks for a new value waits for it as
pending_setup. What connectors keep for their members is never touched. Only an admin updates.

A version that reaches further than the installed one (another secret, a new file that runs, another kind or scope, another
way to sign in …) is asked about on a terminal, and refused elsewhere and with --json, unless --accept-wider is given.

With --all every installed connector with a newer version is updated, one after the other; one that fails or would reach
further is left as it is, and does not keep the others from it. With --dry-run it says what would be done.

--json: {"id","name","version","version_string","installed_at","digest"}, an array of these with --all; with --dry-run as
"install --dry-run", an array with --all.`,
		Example: `  majordomo update notes --dry-run
  majordomo update --all`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case !all:
				return oneID(cmd, args)
			case len(args) > 0:
				return errors.New("with --all it takes no ID")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if all {
				return a.updateAll(cmd.Context(), r, dry)
			}
			r.Connector = args[0]
			if dry {
				return a.dryRun(cmd.Context(), r)
			}
			p, err := a.bringInAsking(cmd.Context(), r)
			if err != nil {
				return err
			}
			return a.print(p, func() { a.say("updated %s to version %d", p.ID, p.Version) })
		},
	}
	verb.Flags().BoolVar(&all, "all", false, "every installed connector that has a newer version")
	riskFlags(verb, &r)
	dryRunFlag(verb, &dry)
	return verb
}

// updateAll does what it can, and fails at the end if anything did.
func (a *app) updateAll(ctx context.Context, r api.InstallRequest, dry bool) error {
	due, failed := a.due(ctx, r, dry)
	if dry {
		return errors.Join(a.print(due, func() { a.showPlans(due) }), failed)
	}
	done := []api.Package{}
	anything := len(due) > 0 || failed != nil
	for _, p := range due {
		r.Connector = p.ID
		pkg, err := a.bringIn(ctx, r)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		done = append(done, pkg)
	}
	return errors.Join(a.print(done, func() {
		for _, p := range done {
			a.say("updated %s to version %d", p.ID, p.Version)
		}
		if !anything {
			a.say("nothing newer is offered")
		}
	}), failed)
}

// due plans the updates there are. A connector that is not offered any more, or whose new release cannot be installed, is
// among the errors; one that only wants consent is for dry runs among both.
func (a *app) due(ctx context.Context, r api.InstallRequest, dry bool) (due []install.Plan, failed error) {
	due = []install.Plan{}
	packages, err := a.client().Packages(ctx)
	if err != nil {
		return due, err
	}
	for _, p := range packages {
		r.Connector = p.ID
		plan, err := a.client().Plan(ctx, r)
		switch {
		case err != nil:
			failed = errors.Join(failed, err)
		case plan.Action == install.ActionReinstall:
		case plan.Refused == "":
			due = append(due, plan)
		default:
			failed = errors.Join(failed, api.Errorf(api.Refused, "%s", plan.Refused))
			if dry && plan.Consent {
				due = append(due, plan)
			}
		}
	}
	return due, failed
}

func (a *app) showPlans(due []install.Plan) {
	for n, p := range due {
		if n > 0 {
			a.say("")
		}
		a.showPlan(p)
	}
	if len(due) == 0 {
		a.say("nothing newer is offered")
	}
}
