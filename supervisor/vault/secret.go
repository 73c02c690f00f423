package vault

import "fmt"

// redacted is all a Secret ever shows of itself.
const redacted = "[redacted]"

// Secret is a value that must not be seen. However it is printed, logged or
// encoded it shows [redacted]; only Reveal gives it away. The zero Secret is
// the empty string.
type Secret struct {
	// A pointer, because package fmt asks no method for a verb that makes no
	// sense (%p, %w) and prints the fields instead.
	value *string
}

// Conceal makes a Secret of value.
func Conceal(value string) Secret { return Secret{&value} }

// Reveal returns the value. The result goes to the environment of a process and
// nowhere else.
func (s Secret) Reveal() string {
	if s.value == nil {
		return ""
	}
	return *s.value
}

// Format answers the verbs of package fmt.
func (s Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, redacted) }

// String answers whoever asks without package fmt.
func (s Secret) String() string { return redacted }

// MarshalText answers JSON, as a value and as a map key, and every other encoder
// of text.
func (s Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }
