package supervisor

import (
	"fmt"
	"strings"
)

// NotFound says that there is no such thing, and what there is instead.
type NotFound struct {
	Kind string // member, connector, activation, tool, token
	Name string
	Hint string
}

func (e *NotFound) Error() string {
	text := fmt.Sprintf("cannot find %s %q", e.Kind, e.Name)
	if e.Hint != "" {
		text += ": " + e.Hint
	}
	return text
}

// NotAdmin says that something is for admins only.
type NotAdmin struct{ Member string }

func (e *NotAdmin) Error() string {
	return fmt.Sprintf("cannot show this to %s: only an admin may see it", e.Member)
}

// Invalid says what is wrong with a request, all of it at once. Nothing was done.
type Invalid struct {
	What     string // "activate notes"
	Problems []string
}

func (e *Invalid) Error() string {
	return fmt.Sprintf("cannot %s: %s", e.What, strings.Join(e.Problems, "; "))
}

// Unavailable says that a connector cannot answer now, why, and what its
// process said last. What is remembered of it is not affected.
type Unavailable struct {
	Connector string
	State     State
	Why       string
	Next      string   // what to do about it; "" when there is nothing to say
	Tail      []string // last lines of its standard error, redacted
	Err       error    // what happened; may be nil
}

func (e *Unavailable) Error() string {
	text := fmt.Sprintf("cannot reach %s: %s", e.Connector, e.Why)
	if e.Next != "" {
		text += "; " + e.Next
	}
	if len(e.Tail) > 0 {
		text += "; it said:\n  " + strings.Join(e.Tail, "\n  ")
	}
	return text
}

// Unwrap returns what happened.
func (e *Unavailable) Unwrap() error { return e.Err }

// VerifyError says that a connector's own check refused the values. Nothing of
// the request was kept.
type VerifyError struct {
	Connector, Message string
}

func (e *VerifyError) Error() string {
	return fmt.Sprintf("cannot activate %s: its check of these values failed: %s", e.Connector, e.Message)
}
