package screen

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"majordomo/supervisor/api"
)

// screen is what one line of a terminal shows after all this was written to it; taller is how often it went on to the next.
func screen(written string, width int) (shown string, taller int) {
	var cells []rune
	at := 0
	for len(written) > 0 {
		switch {
		case strings.HasPrefix(written, "\x1b[K"):
			cells, written = cells[:min(at, len(cells))], written[3:]
			continue
		case written[0] == '\r':
			at = 0
		case written[0] == '\n':
			taller++
		default:
			r := []rune(written)[0]
			if at >= width-1 {
				taller++
			}
			cells = append(cells[:min(at, len(cells))], r)
			at++
			written = written[len(string(r)):]
			continue
		}
		written = written[1:]
	}
	return string(cells), taller
}

func percent(n int) *int { return &n }

func TestProgressLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		width := 60
		p := NewProgress(&out, func() int { return width })
		shows := func(want string) {
			t.Helper()
			synctest.Wait()
			p.mu.Lock()
			defer p.mu.Unlock()
			if got, taller := screen(out.String(), width); got != want || taller > 0 {
				t.Errorf("shows %q, want %q (%d lines too many)", got, want, taller)
			}
		}
		shows("")
		p.Show(api.Progress{Phase: "plan"})
		shows("plan")
		p.Show(api.Progress{Phase: "download", Files: 1, FilesTotal: 4, Bytes: 1500, BytesTotal: 3_000_000, Percent: percent(0)})
		shows("download 0% 1.5 kB/3.0 MB, 1/4 files")
		p.Show(api.Progress{Phase: "download", Files: 2, FilesTotal: 4, Bytes: 1_500_000, BytesTotal: 3_000_000, Percent: percent(50), ETAMS: 61_000})
		shows("download 50% 1.5 MB/3.0 MB, 2/4 files, 1:01 left")
		time.Sleep(2 * time.Second) // the bubble's time
		shows("download 50% 1.5 MB/3.0 MB, 2/4 files, 0:59 left")
		time.Sleep(8 * time.Second) // nothing comes any more: nobody knows how long that takes
		shows("download 50% 1.5 MB/3.0 MB, 2/4 files, 0:10")
		p.Show(api.Progress{Phase: "download", Bytes: 5, FilesTotal: 2})
		shows("download 5 B, 0/2 files, 0:10")
		p.Show(api.Progress{Phase: "deps", Message: "npm fetch"})
		p.Show(api.Progress{Phase: "deps", Message: "npm fetch", Detail: "added \x1b[31m12\r\npackages, and much more than can be shown in one line here"})
		shows("deps: npm fetch  added [31m12 packages, and much more than ca"[:59])
		time.Sleep(83 * time.Second)
		p.Show(api.Progress{Phase: "deps", Message: "npm fetch"})
		p.mu.Lock()
		width = 20 // somebody makes the window smaller
		if got := line(p.last, 0, 83*time.Second); !strings.HasPrefix(got, "deps: npm fetch, 1:23  added") {
			t.Errorf("%q", got)
		}
		out.Reset()
		p.mu.Unlock()
		time.Sleep(redraw)
		shows("deps: npm fetch, 1:")
		p.End()
		if got, _ := screen(out.String(), width); got != "" {
			t.Errorf("left on the terminal: %q", got)
		}
	})
}

// Elsewhere there is one line for each step, and none for each byte.
func TestProgressPlain(t *testing.T) {
	var out strings.Builder
	p := NewProgress(&out, nil)
	for _, step := range []api.Progress{
		{Phase: "plan"},
		{Phase: "download", FilesTotal: 2, BytesTotal: 2000, Percent: percent(0)},
		{Phase: "download", Files: 1, FilesTotal: 2, Bytes: 1000, BytesTotal: 2000, Percent: percent(50)},
		{Phase: "swap"},
		{Phase: "deps", Message: "npm fetch"},
		{Phase: "deps", Message: "npm fetch", Detail: "a line"},
		{Phase: "deps", Message: "npm scripts"},
		{Phase: "start", Message: "starting it for a\x1bnn"},
	} {
		p.Show(step)
	}
	p.End()
	if want := "plan\ndownload: 2 files, 2.0 kB\nswap\ndeps: npm fetch\ndeps: npm scripts\nstart: starting it for ann\n"; out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

// A dumb terminal, and what is none, are not drawn on.
func TestWidth(t *testing.T) {
	if Width(os.Stderr, "dumb") != nil || Width(&strings.Builder{}, "xterm") != nil {
		t.Error("something is drawn where nothing can be")
	}
}

func TestCut(t *testing.T) {
	for in, want := range map[string]string{"plain": "plai", "äöüß!": "äöüß", "日本語": "日本", "e\u0301e\u0301e\u0301e\u0301e": "e\u0301e\u0301e\u0301e\u0301"} {
		if got := cut(in, 4); got != want {
			t.Errorf("cut(%q) = %q, want %q", in, got, want)
		}
	}
}

// What is not known is not on the wire.
func TestProgressJSON(t *testing.T) {
	text, err := json.Marshal(api.Progress{Phase: "deps", Message: "npm fetch"})
	if err != nil || string(text) != `{"phase":"deps","message":"npm fetch","elapsed_ms":0}` {
		t.Errorf("%s, %v", text, err)
	}
	text, _ = json.Marshal(api.Progress{Percent: percent(0)})
	if !regexp.MustCompile(`"percent":0`).Match(text) {
		t.Errorf("%s", text)
	}
}
