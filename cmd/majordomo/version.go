package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"majordomo/supervisor/api"
)

const version = "0.1.0"

func (a *app) versionVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of this program",
		Long: `Prints the version of this program; "majordomo status" prints the daemon's.

--json: {"version","go","commit"?}.`,
		Example: "  majordomo version",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			v := thisVersion()
			return a.print(v, func() { a.say("majordomo %s (%s)", v.Version, v.Go) })
		},
	}
}

func thisVersion() api.Version {
	v := api.Version{Version: version, Go: runtime.Version()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				v.Commit = s.Value
			}
		}
	}
	return v
}
