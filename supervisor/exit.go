package supervisor

import (
	"fmt"
	"strings"

	"majordomo/sandbox"
)

// exitText says in words how a process ended.
func exitText(e sandbox.Exit) string {
	switch {
	case e.Disk != "":
		return "was stopped: " + e.Disk
	case e.Pool:
		return "was killed, because all connectors of its member together ran out of memory"
	case e.OOM:
		return "ran out of memory and was killed"
	case e.Signal != "":
		return "was killed by " + e.Signal
	}
	return fmt.Sprintf("exited with code %d", e.Code)
}

// ExitError is how a process ended, as the cause of what came of it.
type ExitError struct {
	Exit   sandbox.Exit
	Member string // whose it was; "" = that need not be said
}

func (e *ExitError) Error() string {
	text := exitText(e.Exit)
	if e.Member != "" {
		text = strings.Replace(text, "its member", e.Member, 1)
	}
	return "its process " + text
}
