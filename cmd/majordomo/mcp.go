package main

import (
	"github.com/spf13/cobra"

	"majordomo/supervisor/gateway/bridge"
)

func (a *app) mcpVerb() *cobra.Command {
	var member string
	verb := &cobra.Command{
		Use:   "mcp",
		Short: "Speak MCP on standard input and output",
		Long: `A bridge for agents that start their servers as a command: MCP comes in on standard input and goes out on standard
output, and the tools are those of one member of the running daemon.`,
		Example: `  {"mcpServers": {"majordomo": {"command": "majordomo", "args": ["mcp", "--member", "ann"]}}}`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			client := a.client()
			defer client.Close()
			// Asked first, because what is wrong now is a sentence and an exit code, and later only an answer.
			if _, err := client.Tools(cmd.Context(), member); err != nil {
				return err
			}
			web, url := client.MCP(member)
			return bridge.Run(cmd.Context(), bridge.Options{Client: web, URL: url, In: a.in, Out: a.out})
		},
	}
	memberFlag(verb, &member)
	return verb
}
