package qr

import (
	"fmt"
	"strings"

	encoder "rsc.io/qr"
)

// margin of light modules around a drawn code.
const margin = 2

// Draw turns the picture of a code into half blocks for a terminal. It is read and made anew, because a terminal has no
// use for the size, margin and logo of the connector's own.
func Draw(dataURL string) (string, error) {
	content, err := Read(dataURL)
	if err != nil {
		return "", err
	}
	code, err := encoder.Encode(content, encoder.L)
	if err != nil {
		return "", fmt.Errorf("cannot draw the code: %w", err)
	}
	var b strings.Builder
	for y := -margin; y < code.Size+margin; y += 2 {
		for x := -margin; x < code.Size+margin; x++ {
			b.WriteString(halfBlock(code.Black(x, y), code.Black(x, y+1)))
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// halfBlock is two modules above each other. Light modules are drawn, dark ones left out: most terminals are dark, and
// scanners take a code the wrong way round where they do not take one without a margin.
func halfBlock(upperDark, lowerDark bool) string {
	switch {
	case upperDark && lowerDark:
		return " "
	case upperDark:
		return "▄"
	case lowerDark:
		return "▀"
	}
	return "█"
}
