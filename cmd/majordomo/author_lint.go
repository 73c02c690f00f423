package main

import (
	"github.com/spf13/cobra"

	"majordomo/cmd/majordomo/screen"
	"majordomo/install/author"
)

func (a *app) authorLintVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "lint DIR",
		Short: "Check a connector or a feed against the authoring guide",
		Long: `DIR is the folder of one connector, or of a feed when it has an index.json. Every rule of the guide is a check with a name;
all findings are listed at once, each with its place and what to do. Nothing is run and nothing is written. The exit code is
1 when there are errors; warnings do not count. docs/authoring.md explains the checks.

--json: {"ok","errors","warnings","findings":[{"check","severity","file","path","message","fix"}]}.`,
		Example: `  majordomo author lint ./feed
  majordomo author lint ./feed/notes --json`,
		Args: oneArgument,
		RunE: func(_ *cobra.Command, args []string) error {
			report, err := author.Lint(args[0])
			if err != nil {
				return err
			}
			return a.finish(report.OK, a.print(report, func() { a.showLint(args[0], report) }))
		},
	}
}

func (a *app) showLint(dir string, report author.Report) {
	for _, f := range report.Findings {
		where := f.File
		if f.Path != "" {
			where += ": " + f.Path
		}
		a.say("%-8s %s: %s", f.Severity, screen.OneLine(where), screen.OneLine(f.Message))
		a.say("         fix: %s  [%s]", screen.OneLine(f.Fix), f.Check)
	}
	a.say("%s: %s, %s", dir, screen.Count(report.Errors, "error"), screen.Count(report.Warnings, "warning"))
}
