package screen

import (
	"strings"
	"unicode"
)

// Harmless keeps text from strangers from steering the terminal: line ends and tabs stay, other control characters go.
func Harmless(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, s)
}

// OneLine is Harmless text in one line.
func OneLine(s string) string {
	return strings.NewReplacer("\n", " ", "\t", " ").Replace(Harmless(s))
}

// Short is the start of a text that can be pages long, in one line of so many characters.
func Short(s string, limit int) string {
	runes := []rune(OneLine(s))
	if len(runes) <= limit {
		return string(runes)
	}
	return string(runes[:limit-1]) + "…"
}

// cut shortens a line to so many columns. A character that may be wide counts as two: a line that is too short harms nobody.
func cut(s string, columns int) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r >= 0x1100:
			columns -= 2
		default:
			columns--
		}
		if columns < 0 {
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}
