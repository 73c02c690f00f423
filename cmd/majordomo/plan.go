package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"majordomo/cmd/majordomo/screen"
	"majordomo/install"
	"majordomo/supervisor/api"
)

func dryRunFlag(verb *cobra.Command, dry *bool) {
	verb.Flags().BoolVar(dry, "dry-run", false, "only say what would be done")
}

// riskFlags are for what is refused unless somebody says so.
func riskFlags(verb *cobra.Command, r *api.InstallRequest) {
	verb.Flags().BoolVar(&r.AllowDowngrade, "allow-downgrade", false, "take the release on offer whatever its version is")
	verb.Flags().BoolVar(&r.AcceptWider, "accept-wider", false, "take a release that reaches further than the installed one")
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
	a.say("%s %s: %s", p.Action, p.ID, screen.OneLine(p.Name))
	version := fmt.Sprintf("%d (%s)", p.Version, p.VersionString)
	if p.Action != install.ActionInstall {
		version = fmt.Sprintf("%d → %s", p.Installed, version)
	}
	rows := [][]string{
		{"version", version},
		{"kind", p.Source + ", " + p.Scope},
		{"runs with", p.Runtime},
		{"sign-in", p.Auth},
		{"checks values", p.Verify},
		{"sees", strings.Join(p.Mounts, ", ")},
		{"reaches", p.Egress},
		{"network", p.Network},
		{"download", screen.Bytes(p.Bytes)},
	}
	for _, h := range p.Hosts {
		rows = append(rows, []string{"contacts", h.Host + ": " + h.Why})
	}
	rows = append(rows, asks(p.Asks)...)
	rows = append(rows, dependencies(p)...)
	for _, f := range p.Files {
		rows = append(rows, []string{"file", fmt.Sprintf("%-7s %s %s", f.Change, f.Path, sizes(f))})
	}
	a.table("", rows)
	for _, note := range p.Notes {
		a.say("! %s", screen.OneLine(note))
	}
	if p.Action == install.ActionInstall {
		return
	}
	if len(p.Widens) == 0 {
		a.say("it reaches for nothing that the installed version does not")
	}
	for _, c := range p.Widens {
		a.say("REACHES FURTHER: %s", screen.OneLine(c.What))
	}
}

// sizes are in bytes: a file that grew by one says so.
func sizes(f install.FileChange) string {
	if f.Change == install.FileChanged && f.Was != f.Size {
		return fmt.Sprintf("%d → %d bytes", f.Was, f.Size)
	}
	return fmt.Sprintf("%d bytes", f.Size)
}

// dependencies are the rows of those that change; what the connector does not name itself is counted only.
func dependencies(p install.Plan) (rows [][]string) {
	for _, file := range p.DependencyFiles {
		rows = append(rows, []string{"installs what", file + " says"})
	}
	more := map[string]int{}
	for _, d := range p.Dependencies {
		if !d.Direct {
			more[d.Tool]++
			continue
		}
		rows = append(rows, []string{d.Tool, fmt.Sprintf("%s %s", d.Name, strings.Join(slices.DeleteFunc([]string{d.From, d.To}, isEmpty), " → "))})
		if d.To == "" {
			rows[len(rows)-1][1] += " goes"
		}
	}
	for _, tool := range slices.Sorted(maps.Keys(more)) {
		rows = append(rows, []string{tool, fmt.Sprintf("%d more that these bring change (--json lists them)", more[tool])})
	}
	return rows
}

func isEmpty(s string) bool { return s == "" }
