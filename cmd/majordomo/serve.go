package main

import (
	"context"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"golang.org/x/sys/unix"

	"majordomo/cmd/majordomo/daemon"
	"majordomo/cmd/majordomo/screen"
	"majordomo/configs"
)

func (a *app) serveVerb() *cobra.Command {
	s := configs.Source{Getenv: a.getenv}
	verb := &cobra.Command{
		Use:   "serve",
		Short: "Run the daemon",
		Long: `Runs the daemon until SIGTERM, Ctrl-C or the end of its terminal (unless under nohup). One daemon owns a state directory; a second one says who holds it and ends.

The configuration is read from --config, else from /etc/majordomo/config.toml by root and
$XDG_CONFIG_HOME/majordomo/config.toml by others, where it may be missing. A flag wins over the environment
(MAJORDOMO_STATE, MAJORDOMO_FEED), that over the file, the file over the defaults. A key it does not know is an error.

A changed file is read again by itself, and on SIGHUP where the daemon has no terminal; one that is wrong changes nothing.
"status" and "events" say what is in force, and which keys wait for the daemon to be started anew.

Agents connect to http://ADDRESS/mcp with a token. /healthz answers while the process lives, /readyz while it serves.
The log goes to standard error: for people on a terminal, as JSON elsewhere. When everything is up, one line says so on
standard output.

--json: that line as {"listen","socket","state"}.`,
		Example: `  majordomo serve --feed https://feed.example.org
  majordomo serve --state ./state --feed ./feed --listen 127.0.0.1:0`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s.State = a.state
			return a.serve(cmd.Context(), s)
		},
	}
	verb.Flags().StringVar(&s.File, "config", "", "configuration file")
	verb.Flags().StringVar(&s.Feed, "feed", "", "https:// address or directory of the feed")
	verb.Flags().StringVar(&s.Listen, "listen", "", "host:port for agents; port 0 takes a free one")
	return verb
}

func (a *app) serve(ctx context.Context, s configs.Source) error {
	config, err := configs.Load(s)
	if err != nil {
		return configError{err}
	}
	unix.Umask(0o022) // every room says the modes it needs, and counts on getting them
	// Whoever reads the log may go away, as journald does when it is restarted: without a handler the next line would end the daemon.
	signal.Notify(make(chan os.Signal, 1), unix.SIGPIPE)
	log, flush := newLog(a.err)
	defer flush()
	d, err := daemon.Build(ctx, daemon.Options{Config: config, Source: s, Version: thisVersion(), Log: log})
	if err != nil {
		return err
	}
	return d.Run(ctx, func(r daemon.Ready) error {
		return a.print(r, func() { a.say("majordomo is ready at http://%s, control socket %s", r.Listen, r.Socket) })
	})
}

// newLog writes for a person on a terminal, for machines elsewhere. flush ends it, and waits a moment for what is not written yet.
func newLog(w io.Writer) (log *zap.Logger, flush func()) {
	if screen.IsTerminal(w) {
		lines := newLogLines(w, lostLinesText)
		return zap.New(zapcore.NewCore(zapcore.NewConsoleEncoder(zap.NewDevelopmentEncoderConfig()), lines, zap.InfoLevel)), lines.Close
	}
	config := zap.NewProductionEncoderConfig()
	config.EncodeTime = zapcore.RFC3339NanoTimeEncoder
	lines := newLogLines(w, lostLinesJSON)
	return zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(config), lines, zap.InfoLevel)), lines.Close
}
