package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"majordomo/install"
	"majordomo/supervisor/api"
)

func dryRunFlag(verb *cobra.Command, dry *bool) {
	verb.Flags().BoolVar(dry, "dry-run", false, "only say what would be done")
}

func downgradeFlag(verb *cobra.Command, allow *bool) {
	verb.Flags().BoolVar(allow, "allow-downgrade", false, "take the release on offer whatever its version is")
}

// dryRun shows a plan; one that would be refused ends with that refusal.
func (a *app) dryRun(ctx context.Context, r api.InstallRequest) error {
	plan, err := a.client().Plan(ctx, r)
	if err != nil {
		return err
	}
	if err := a.print(plan, func() { a.showPlan(plan) }); err != nil || plan.Refused == "" {
		return err
	}
	return api.Errorf(api.Refused, "%s", plan.Refused)
}

func (a *app) showPlan(p install.Plan) {
	a.say("%s %s: %s", p.Action, p.ID, oneLine(p.Name))
	version := fmt.Sprintf("%d (%s)", p.Version, p.VersionString)
	if p.Action != install.ActionInstall {
		version = fmt.Sprintf("%d → %s", p.Installed, version)
	}
	rows := [][]string{
		{"version", version},
		{"kind", p.Source + ", " + p.Scope},
		{"runs with", p.Runtime},
		{"installs what", strings.Join(p.Dependencies, ", ")},
		{"sign-in", p.Auth},
		{"checks values", p.Verify},
		{"sees", strings.Join(p.Mounts, ", ")},
		{"reaches", p.Egress},
		{"download", strconv.FormatInt(p.Bytes, 10) + " bytes"},
	}
	rows = append(rows, asks(p.Asks)...)
	for _, f := range p.Files {
		rows = append(rows, []string{"file", fmt.Sprintf("%-7s %s %d bytes", f.Change, f.Path, f.Size)})
	}
	a.table("", rows)
	if p.Action == install.ActionInstall {
		return
	}
	if len(p.Widens) == 0 {
		a.say("it reaches for nothing that the installed version does not")
	}
	for _, c := range p.Widens {
		a.say("REACHES FURTHER: %s", oneLine(c.What))
	}
}
