package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func (a *app) mcpVerb() *cobra.Command {
	var member string
	verb := &cobra.Command{
		Use:   "mcp",
		Short: "Speak MCP on standard input and output",
		Long: `A bridge for agents that start their servers as a command: MCP comes in on standard input and goes out on standard
output, and the tools are those of one member of the running daemon.`,
		Example: `  {"mcpServers": {"majordomo": {"command": "majordomo", "args": ["mcp", "--member", "ann"]}}}`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return errors.New("cannot bridge yet")
		},
	}
	memberFlag(verb, &member)
	return verb
}
