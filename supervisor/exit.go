package supervisor

import (
	"fmt"

	"majordomo/sandbox"
)

// exitText says in words how a process ended.
func exitText(e sandbox.Exit) string {
	switch {
	case e.Disk != "":
		return "was stopped: " + e.Disk
	case e.OOM:
		return "ran out of memory and was killed"
	case e.Signal != "":
		return "was killed by " + e.Signal
	}
	return fmt.Sprintf("exited with code %d", e.Code)
}

// ExitError is how a process ended, as the cause of what came of it.
type ExitError struct{ Exit sandbox.Exit }

func (e *ExitError) Error() string { return "its process " + exitText(e.Exit) }
