package deps

import (
	"fmt"
	"strings"
	"time"
)

// InstallError says why the dependencies of a connector could not be installed, in words a person can act on.
type InstallError struct {
	Connector string
	Phase     string        // as in Event
	Limit     time.Duration // of the whole install
	Elapsed   time.Duration // of the whole install, when it failed
	TimedOut  bool          // the limit ended it
	// Unreachable means that the daemon itself, outside the sandbox, cannot reach the registry either. Registry names it.
	Unreachable bool
	Registry    string
	Hint        string    // what to do about it; "" when nothing is known
	Tail        []string  // the last lines that npm or pip printed, without credentials
	RetryAt     time.Time // set when this is the memory of an earlier try: the next one is made from then on
	Err         error     // what happened
}

func (e *InstallError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "cannot install the dependencies of %s: %s: ", e.Connector, e.Phase)
	switch {
	case e.TimedOut:
		fmt.Fprintf(&b, "stopped at the limit of %v", e.Limit)
	case e.Elapsed == 0: // nothing was started
		fmt.Fprintf(&b, "%v", e.Err)
	default:
		fmt.Fprintf(&b, "%v, after %v of %v", e.Err, e.Elapsed.Round(100*time.Millisecond), e.Limit)
	}
	if e.Unreachable {
		fmt.Fprintf(&b, "; the registry %s cannot be reached from this machine", e.Registry)
	}
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	if !e.RetryAt.IsZero() {
		fmt.Fprintf(&b, "; this failed a moment ago and is tried again from %s on", e.RetryAt.Format(time.TimeOnly))
	}
	for _, line := range e.Tail {
		b.WriteString("\n  " + line)
	}
	return b.String()
}

// Unwrap gives what happened: a *runtimes.MissingError, a context's error, or an error of the system.
func (e *InstallError) Unwrap() error { return e.Err }
