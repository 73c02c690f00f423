package demo

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// Report is what `majordomo demo --json` prints.
type Report struct {
	OK         bool        `json:"ok"`
	Steps      []Step      `json:"steps"`
	Connectors []Connector `json:"connectors"`
}

// Step is one thing that was done. OK and an empty Error are the same.
type Step struct {
	Name  string `json:"name"`
	OK    bool   `json:"ok"`
	MS    int64  `json:"ms"`
	Error string `json:"error,omitempty"`
}

// Connector is what came of one connector. What a failed or skipped one did not get to is empty.
type Connector struct {
	ID      string   `json:"id"`
	Version string   `json:"version"`
	Tools   []string `json:"tools"`
	Sandbox Sandbox  `json:"sandbox"`
	Sample  Sample   `json:"sample"`
	Skipped bool     `json:"skipped,omitempty"`

	runtime string
}

// Sandbox is what holds a connector on this host, and what does not, by name.
type Sandbox struct {
	Layers  []string `json:"layers"`
	Missing []string `json:"missing"`
}

// Sample is the answer to one call through /mcp.
type Sample struct {
	Tool string `json:"tool"`
	OK   bool   `json:"ok"`
	Text string `json:"text"`
}

// report sums up: ok means that every step succeeded and that every connector answered, but for those that this host's
// network does not allow.
func (d *demo) report(connectors []Connector) Report {
	r := Report{OK: len(connectors) > 0, Steps: d.log.all(), Connectors: connectors}
	for _, s := range r.Steps {
		r.OK = r.OK && s.OK
	}
	for _, c := range connectors {
		r.OK = r.OK && (c.Sample.OK || c.Skipped)
	}
	return r
}

func (r Report) print(o Options) error {
	if !o.JSON {
		return r.table(o.Out)
	}
	out := json.NewEncoder(o.Out)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(r)
}

// silence is how long a step may take before those who watch are told that it goes on.
const silence = 15 * time.Second

// steps records and prints what is done, in the order in which it ends. Safe for concurrent use.
type steps struct {
	out io.Writer

	mu   sync.Mutex // protects done, and keeps lines whole
	done []Step
}

// run does one step and reports whether it succeeded. note is what it found out, for those who watch.
func (s *steps) run(name string, do func() (note string, err error)) bool {
	began := time.Now()
	waiting := time.AfterFunc(silence, func() { s.note("…", name, "goes on; packages that come from far can take minutes") })
	note, err := do()
	waiting.Stop()
	took := time.Since(began)
	step := Step{Name: name, OK: err == nil, MS: took.Milliseconds()}
	mark := fmt.Sprintf("%.2f s", took.Seconds())
	if err != nil {
		step.Error = err.Error()
		mark, note = "FAILED", strings.ReplaceAll(step.Error, "\n", "\n"+strings.Repeat(" ", 11))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = append(s.done, step)
	s.say("%8s  %-28s %s", mark, name, note)
	return step.OK
}

// skip prints that something is not done, and why.
func (s *steps) skip(name, why string) { s.note("skipped", name, why) }

// note prints a line of what is not done, or not yet.
func (s *steps) note(mark, name, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.say("%8s  %-28s %s", mark, name, text)
}

func (s *steps) say(format string, args ...any) {
	fmt.Fprintln(s.out, strings.TrimRight(fmt.Sprintf(format, args...), " "))
}

func (s *steps) all() []Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Step{}, s.done...)
}
