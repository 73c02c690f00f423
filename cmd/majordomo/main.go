// Majordomo runs a household's MCP connectors: `majordomo serve` is the daemon, every other verb asks it.
//
// One file per verb, named after it; `token create` is in token.go. daemon is what `serve` runs, develop the loop of `dev`, demo
// the story that `demo` tells, screen how a person is shown things, qr the sign-in code on a terminal. The package holds no
// logic of its own, and must never touch what the daemon keeps but through it: a verb turns words into one request, and an
// answer into words. Goroutines of a verb end before it returns.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"majordomo/cmd/majordomo/daemon"
	"majordomo/sandbox"
)

func main() {
	sandbox.InitMain() // as a sandbox's init this never returns

	ctx, stop := signal.NotifyContext(context.Background(), stopSignals()...)
	context.AfterFunc(ctx, stop) // a second Ctrl-C is not asked for patience
	a := &app{in: os.Stdin, out: os.Stdout, err: os.Stderr, getenv: os.Getenv}
	os.Exit(a.run(ctx, os.Args[1:]))
}

// stopSignals ask for a graceful end. A terminal that is closed asks too, unless nohup said not to listen.
func stopSignals() []os.Signal {
	signals := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) && daemon.HangsUp() {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// tree is every verb there is, in the order of the help.
func (a *app) tree() *cobra.Command {
	root := &cobra.Command{
		Use:   "majordomo",
		Short: "Run a household's MCP connectors",
		Long: `Majordomo downloads connectors from a feed, installs what they depend on, runs each one in its member's sandbox
and serves their tools to every agent through one endpoint.

"majordomo serve" is the daemon. The other verbs ask the daemon that owns the state directory: the one of --state, else
of MAJORDOMO_STATE, else your own, else the system service. Who you are decides what you may ask.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the daemon is not running, 4 refused, 78 the configuration is wrong.`,
		Example: `  majordomo serve --feed https://feed.example.org &
  majordomo member add ann
  majordomo install notes
  majordomo activate notes --member ann
  majordomo tools --member ann`,
		Version:       version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          knownVerb,
		RunE:          func(verb *cobra.Command, _ []string) error { return verb.Help() },
	}
	root.PersistentFlags().StringVar(&a.state, "state", "", "state directory of the daemon")
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON with stable field names")
	root.SetUsageFunc(a.usageOf)
	root.SetHelpCommand(a.helpVerb())
	a.groups = a.verbs()
	for _, g := range a.groups {
		root.AddCommand(g.verbs...)
	}
	completeNoFiles(root)
	return root
}

func (a *app) verbs() []group {
	return []group{
		{"The daemon", []*cobra.Command{a.serveVerb(), a.statusVerb(), a.doctorVerb(), a.eventsVerb()}},
		{"What is installed", []*cobra.Command{
			a.feedVerb(), a.installVerb(), a.updateVerb(), a.rollbackVerb(), a.listVerb(), a.removeVerb(), a.gcVerb(),
		}},
		{"Who uses it", []*cobra.Command{a.memberVerb(), a.tokenVerb()}},
		{"What a member runs", []*cobra.Command{
			a.activateVerb(), a.deactivateVerb(), a.loginVerb(), a.startVerb(), a.stopVerb(), a.restartVerb(), a.logsVerb(),
		}},
		{"Tools", []*cobra.Command{a.toolsVerb(), a.callVerb(), a.mcpVerb()}},
		{"Writing connectors", []*cobra.Command{a.devVerb(), a.authorVerb()}},
		{"This program", []*cobra.Command{a.demoVerb(), a.versionVerb(), a.completionVerb()}},
	}
}
