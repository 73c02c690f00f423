package screen

import (
	"os"

	"golang.org/x/term"
)

// IsTerminal says whether a person sits at the other end of a stream.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Width returns how to ask for the width of the terminal behind stream, in columns, or nil where nothing can be drawn:
// no terminal, or one that is called dumb.
func Width(stream any, terminal string) func() int {
	if !IsTerminal(stream) || terminal == "dumb" {
		return nil
	}
	fd := int(stream.(*os.File).Fd())
	return func() int {
		width, _, err := term.GetSize(fd)
		if err != nil || width <= 0 {
			return 80
		}
		return width
	}
}
