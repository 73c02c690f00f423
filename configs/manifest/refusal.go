package manifest

import "fmt"

// Refusal is the answer to something that will not be done however often it is
// asked: exit code 4. It reads "cannot What: Why; Hint".
type Refusal struct {
	What string // "install notes"
	Why  string
	Hint string // what to do next; may be empty
}

func (r *Refusal) Error() string {
	text := fmt.Sprintf("cannot %s: %s", r.What, r.Why)
	if r.Hint != "" {
		text += "; " + r.Hint
	}
	return text
}

// Refused marks the error as a refusal.
func (r *Refusal) Refused() bool { return true }
