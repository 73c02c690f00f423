package screen

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Table prints aligned columns; header holds the columns' names, or nothing. Cells come from feeds and connectors, so they
// may not steer the terminal; an empty one is a dash.
func Table(out io.Writer, header string, rows [][]string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if header != "" {
		fmt.Fprintln(w, strings.ReplaceAll(header, " ", "\t"))
	}
	for _, row := range rows {
		for i, cell := range row {
			if row[i] = OneLine(cell); row[i] == "" {
				row[i] = "-"
			}
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}
