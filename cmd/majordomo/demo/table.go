package demo

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

const sampleWidth = 60 // of a sample answer in the table, in characters

// table prints what came of each connector, under it the sandbox layers, and the verdict.
func (r Report) table(out io.Writer) error {
	fmt.Fprintln(out)
	if len(r.Connectors) > 0 {
		r.rows(out)
		for layers, ids := range r.byLayers() {
			fmt.Fprintf(out, "sandbox layers in force around %s: %s\n", strings.Join(ids, ", "), layers)
		}
	}
	_, err := fmt.Fprintln(out, r.verdict())
	return err
}

func (r Report) rows(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CONNECTOR\tVERSION\tRUNTIME\tLAYERS\tTOOLS\tSAMPLE ANSWER")
	for _, c := range r.Connectors {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%s\n", c.ID, dash(c.Version), dash(c.runtime), len(c.Sandbox.Layers), len(c.Tools), c.outcome())
	}
	_ = w.Flush()
	fmt.Fprintln(out)
}

func (r Report) verdict() string {
	if r.OK {
		return "The demo succeeded."
	}
	failed := "The demo failed."
	for _, s := range r.Steps {
		if !s.OK {
			first, _, _ := strings.Cut(s.Error, "\n") // the rest stands above, where it happened
			failed += "\n  " + s.Name + ": " + first
		}
	}
	return failed
}

// byLayers groups the connectors that run alike; mostly all do.
func (r Report) byLayers() map[string][]string {
	groups := map[string][]string{}
	for _, c := range r.Connectors {
		if len(c.Sandbox.Layers) > 0 {
			layers := strings.Join(c.Sandbox.Layers, " ")
			if len(c.Sandbox.Missing) > 0 {
				layers += "; missing: " + strings.Join(c.Sandbox.Missing, " ")
			}
			groups[layers] = append(groups[layers], c.ID)
		}
	}
	return groups
}

func (c Connector) outcome() string {
	switch {
	case c.Skipped:
		return "(skipped)"
	case !c.Sample.OK:
		return "(failed)"
	}
	text := []rune(oneLine(c.Sample.Text))
	if len(text) > sampleWidth {
		text = append(text[:sampleWidth-1], '…')
	}
	return string(text)
}

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
