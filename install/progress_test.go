package install

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"majordomo/configs/digest"
	"majordomo/configs/manifest"
)

func TestProgress(t *testing.T) {
	s := newShop(t)
	s.publish("notes", 1, map[string]string{"big": strings.Repeat("x", 3<<20), "__init__.py": ""})
	var events []Event // without a lock: reports never come two at once
	i := newInstaller(t, s.dir, t.TempDir())
	pkg, err := i.Install(t.Context(), Request{ID: "notes", Progress: func(e Event) { events = append(events, e) }})
	if err != nil {
		t.Fatal(err)
	}
	var phases []string
	for _, e := range events {
		phases = append(phases, e.Phase)
		if (e.Phase == PhaseDownload) != (e.Percent >= 0) {
			t.Errorf("%+v", e)
		}
	}
	forward(t, events)
	if got := slices.Compact(phases); !slices.Equal(got, []string{PhasePlan, PhaseDownload, PhaseSwap, PhaseDone}) {
		t.Errorf("phases %v", got)
	}
	last := events[len(events)-1]
	if last.Files != len(pkg.Release.Files) || last.Files != last.FilesTotal || last.Bytes != last.BytesTotal || last.ID != "notes" {
		t.Errorf("at the end: %+v", last)
	}
}

// forward holds events to what they promise, whatever a feed declares.
func forward(t *testing.T, events []Event) {
	t.Helper()
	for n, e := range events {
		if e.Percent > 100 || e.Percent < -1 || e.BytesTotal > 0 && e.Bytes > e.BytesTotal || e.ETA < 0 {
			t.Errorf("%+v", e)
		}
		if n == 0 || events[n-1].Phase != e.Phase {
			continue
		}
		if b := events[n-1]; e.Bytes < b.Bytes || e.Files < b.Files || e.Percent < b.Percent {
			t.Errorf("progress goes back: %+v after %+v", e, b)
		}
	}
}

// download plays files that come at speed, and what a feed may say of their size.
func download(files []manifest.File, sizes []int, pace time.Duration) (events []Event) {
	p := newProgress(Request{ID: "x", Progress: func(e Event) { events = append(events, e) }})
	p.start(files)
	for n, f := range files {
		t := p.transfer(f, io.Discard)
		for left := sizes[n]; left > 0; left -= 1000 {
			time.Sleep(pace) // the bubble's time
			_, _ = t.Write(bytes.Repeat([]byte("x"), min(left, 1000)))
		}
		p.finished(t, f.Path)
	}
	return events
}

func TestProgressOfDishonestSizes(t *testing.T) {
	file := func(size int64) manifest.File {
		return manifest.File{Path: "a", Size: size, SHA256: digest.Of([]byte("x"))}
	}
	empty := manifest.File{Path: "b", SHA256: digest.Of(nil)}
	for name, tt := range map[string]struct {
		files []manifest.File
		sizes []int
		known bool
	}{
		"as declared":            {[]manifest.File{file(50_000), empty, file(10_000)}, []int{50_000, 0, 10_000}, true},
		"more than declared":     {[]manifest.File{file(10), file(10_000)}, []int{90_000, 10_000}, true},
		"less than declared":     {[]manifest.File{file(90_000), file(10_000)}, []int{10, 10_000}, true},
		"the last one is larger": {[]manifest.File{file(10_000), file(10)}, []int{10_000, 90_000}, true},
		"one does not say":       {[]manifest.File{file(10_000), file(0)}, []int{10_000, 90_000}, false},
		"negative":               {[]manifest.File{file(10_000), file(-1)}, []int{10_000, 90_000}, false},
		"nothing at all":         {[]manifest.File{empty}, []int{0}, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				events := download(tt.files, tt.sizes, 50*time.Millisecond)
				forward(t, events)
				for n, e := range events {
					if (e.Percent >= 0) != tt.known || (e.Percent == 100) != (tt.known && n == len(events)-1) || !tt.known && (e.BytesTotal != 0 || e.ETA != 0) {
						t.Errorf("event %d: %+v", n, e)
					}
				}
				if last := events[len(events)-1]; tt.known && last.Bytes != last.BytesTotal {
					t.Errorf("%+v", last)
				}
			})
		})
	}
}

// What is left is said once there is a speed to say it from, and is true when the
// speed stays what it is.
func TestETA(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		var took []time.Duration
		var events []Event
		f := manifest.File{Path: "a", Size: 200_000, SHA256: digest.Of([]byte("x"))}
		p := newProgress(Request{Progress: func(e Event) { events, took = append(events, e), append(took, time.Since(begun)) }})
		p.start([]manifest.File{f})
		tr := p.transfer(f, io.Discard)
		for range 200 { // 10 kB a second
			time.Sleep(100 * time.Millisecond)
			_, _ = tr.Write(make([]byte, 1000))
		}
		p.finished(tr, "a")
		forward(t, events)
		for n, e := range events {
			left := 20*time.Second - took[n]
			switch {
			case took[n] < time.Second && e.ETA != 0:
				t.Errorf("a guess after %v: %v", took[n], e.ETA)
			case took[n] >= time.Second && left > 0 && (e.ETA < left || e.ETA > left+time.Second):
				t.Errorf("after %v: %v left, said %v", took[n], left, e.ETA)
			case left == 0 && e.ETA != 0:
				t.Errorf("at the end: %v", e.ETA)
			}
		}
		if len(events) < 50 || len(events) > 120 {
			t.Errorf("%d events in 20 s", len(events))
		}
	})
}

// A speed that changed is believed within seconds.
func TestRateForgets(t *testing.T) {
	now := time.Unix(0, 0)
	r := newRate(now)
	for range 40 {
		now = now.Add(500 * time.Millisecond)
		r.add(now, 50_000)
	}
	if got := r.until(now, 1_000_000); got != 10*time.Second {
		t.Errorf("at 100 kB/s: %v", got)
	}
	for range 24 {
		now = now.Add(500 * time.Millisecond)
		r.add(now, 5_000)
	}
	if got := r.until(now, 1_000_000); got < 60*time.Second {
		t.Errorf("12 s after it fell to 10 kB/s: %v", got)
	}
	if r.speed = 1; r.until(now, 1<<40) != 0 {
		t.Error("centuries are said")
	}
}
