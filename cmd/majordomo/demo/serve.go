package demo

import (
	"context"
	"fmt"
	"os"
)

const howToConnect = `
Serving on http://%[1]s/mcp until Ctrl-C. To connect an agent that speaks HTTP:

  {
    "mcpServers": {
      "majordomo": {
        "type": "http",
        "url": "http://%[1]s/mcp",
        "headers": { "Authorization": "Bearer %[2]s" }
      }
    }
  }

To connect one that starts a program:

  %[3]s mcp --state %[4]s --member %[5]s

`

// serve tells how to connect an agent and waits for ctx, or for the daemon to end.
func (d *demo) serve(ctx context.Context) {
	program := d.Program
	if program == "" {
		program, _ = os.Executable()
	}
	fmt.Fprintf(d.Out, howToConnect, d.listen, d.token, program, d.place.state, d.member)
	select {
	case <-ctx.Done():
	case <-d.server.ended:
		fmt.Fprintf(d.Err, "the daemon ended: %v%s\n", d.server.err, d.place.said())
	}
}
