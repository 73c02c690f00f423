package screen

import "testing"

// Text from strangers reaches a person's terminal as text.
func TestHarmless(t *testing.T) {
	for in, want := range map[string]string{
		"plain Grüße":         "plain Grüße",
		"\x1b]0;title\x07red": "]0;titlered",
		"a\r\nb\tc":           "a\nb\tc",
		"left\u202eright":     "leftright",
	} {
		if got := Harmless(in); got != want {
			t.Errorf("Harmless(%q) = %q, want %q", in, got, want)
		}
	}
}
