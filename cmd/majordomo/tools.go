package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"majordomo/cmd/majordomo/screen"
	"majordomo/supervisor/api"
)

func (a *app) toolsVerb() *cobra.Command {
	var member string
	verb := &cobra.Command{
		Use:   "tools",
		Short: "List a member's tools",
		Long: `Lists every tool an agent of the member can call, by the name it has there: mcp__<connector>__<tool>.

--json: array of {"name","title","connector","description","inputSchema"}.`,
		Example: "  majordomo tools --member ann",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			tools, err := a.client().Tools(cmd.Context(), member)
			if err != nil {
				return err
			}
			return a.print(tools, func() {
				if len(tools) == 0 {
					a.say("%s", noTools(member))
					return
				}
				a.showTools(tools)
			})
		},
	}
	memberFlag(verb, &member)
	return verb
}

func (a *app) showTools(tools []api.Tool) {
	var rows [][]string
	for _, t := range tools {
		rows = append(rows, []string{t.Name, t.Title, screen.Short(t.Description, 80)})
	}
	a.table("TOOL TITLE ABOUT", rows)
}

// noTools says what to do for tools.
func noTools(member string) string {
	if member == "" {
		return "you have no tools yet: majordomo activate ID"
	}
	return fmt.Sprintf("%s has no tools yet: majordomo activate ID --member %s", member, member)
}
