package feed_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"majordomo/install/feed"
	"majordomo/install/fetch"
)

// shop is a feed in a directory whose one connector says how often it was
// published.
type shop struct {
	t   *testing.T
	dir string
}

func (s shop) publish(version int, more string) {
	s.t.Helper()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644); err != nil {
			s.t.Fatal(err)
		}
	}
	us := newSigner("us")
	text := fmt.Sprintf(`{%s"connectors":[{"id":"../notes","version":%d}]}`, more, version)
	write("connectors.json", text)
	write("connectors.json.minisig", us.sign(text, true))
}

// down takes the index away, as if nobody answered.
func (s shop) down() {
	if err := os.Remove(filepath.Join(s.dir, "connectors.json")); err != nil {
		s.t.Fatal(err)
	}
}

// looks says in one word what somebody sees who looks.
func looks(t *testing.T, f *feed.Feed, refresh bool) string {
	t.Helper()
	l, err := f.Browse(t.Context(), refresh)
	var refused interface{ Refused() bool }
	switch {
	case errors.As(err, &refused):
		return "refused"
	case err != nil:
		return "down"
	case l.Stale != "":
		return fmt.Sprintf("%d, stale for %s", l.Releases[0].Version, l.Age)
	}
	return fmt.Sprintf("%d, %s old", l.Releases[0].Version, l.Age)
}

func TestBrowse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := shop{t, t.TempDir()}
		f := open(t, feed.Options{Base: s.dir, Key: newSigner("us").public(), Sequences: memory{}})
		install := func() { _, _ = f.Offer(t.Context(), "x") }
		for i, step := range []struct {
			do      func()
			later   time.Duration
			refresh bool
			want    string
		}{
			{func() {}, 0, false, "down"}, // nothing to fall back on
			{func() { s.publish(1, "") }, 0, false, "1, 0s old"},
			{func() { s.publish(2, "") }, 299 * time.Second, false, "1, 4m59s old"},
			{func() {}, time.Second, false, "2, 0s old"},
			{func() { s.publish(3, "") }, 0, true, "3, 0s old"},
			{func() { s.publish(4, "") }, 0, false, "3, 0s old"},
			{install, 0, false, "4, 0s old"}, // what was installed is not newer than what is listed
			{s.down, time.Minute, false, "4, 1m0s old"},
			{func() {}, time.Hour, false, "4, stale for 1h1m0s"},
			{func() {}, 0, true, "4, stale for 1h1m0s"},
			{func() { s.publish(5, "") }, 0, false, "5, 0s old"}, // it is back, and nobody waits for a clock
			// What expires serves no longer than it should, not even as stale.
			{func() { s.publish(6, `"sequence":6,"expires":"2000-01-01T01:10:00Z",`) }, 0, true, "6, 0s old"},
			{func() {}, 3 * time.Minute, false, "6, 3m0s old"},
			{func() { s.publish(7, `"sequence":7,`) }, 90 * time.Second, false, "7, 0s old"},
			{func() { s.publish(8, `"sequence":8,"expires":"2000-01-01T01:20:00Z",`) }, 0, true, "8, 0s old"},
			{s.down, 10 * time.Minute, false, "down"},
			// What cannot be trusted is not covered up.
			{func() { s.publish(9, `"sequence":9,`) }, 0, true, "9, 0s old"},
			{func() { s.publish(8, `"sequence":8,`) }, 0, false, "9, 0s old"},
			{func() {}, time.Hour, false, "refused"},
		} {
			step.do()
			time.Sleep(step.later) // the bubble's time, not ours
			if got := looks(t, f, step.refresh); got != step.want {
				t.Errorf("step %d at %s: %s, want %s", i+1, time.Now().UTC().Format(time.TimeOnly), got, step.want)
			}
		}
	})
}

// Everybody who looks at the same time shares one fetch, and a caller who
// leaves does not take it from the others.
func TestBrowseFetchesOnce(t *testing.T) {
	var asked atomic.Int64
	begun, answer := make(chan struct{}, 100), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		begun <- struct{}{}
		<-answer
		fmt.Fprint(w, index(`{"id":"../notes"}`))
	}))
	defer server.Close()
	f := open(t, feed.Options{Base: server.URL})
	leaving, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		_, err := f.Browse(leaving, false)
		left <- err
	}()
	<-begun
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if l, err := f.Browse(t.Context(), false); err != nil || len(l.Releases) != 1 {
				t.Errorf("%+v, %v", l, err)
			}
		})
	}
	close(answer)
	wg.Wait()
	if n := asked.Load(); n != 1 {
		t.Errorf("the index was asked for %d times", n)
	}
}

// Close ends a fetch that hangs, and does not come back before it has.
func TestCloseEndsFetch(t *testing.T) {
	begun, gone := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(begun)
		<-r.Context().Done()
		close(gone)
	}))
	defer server.Close()
	f, err := feed.New(feed.Options{Base: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	failed := make(chan error)
	go func() {
		_, err := f.Browse(t.Context(), true)
		failed <- err
	}()
	<-begun
	f.Close()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	<-gone
}

// A feed cannot fill our memory with manifests: what there is no room for is a
// card that says so.
func TestListingIsBounded(t *testing.T) {
	const each, most = 1 << 10, 32
	large := `{"version":1,"x":"` + strings.Repeat("x", each-len(`{"version":1,"x":""}`)) + `"}`
	files, entries := map[string]string{}, []string{}
	for i := range most + 3 {
		id := fmt.Sprintf("c%d", i)
		files["/"+id+"/connector.json"] = large
		entries = append(entries, entry(id, ""))
	}
	files["/connectors.json"] = index(entries...)
	f, err := feed.New(feed.Options{Base: mirror(t, files)})
	if err != nil {
		t.Fatal(err)
	}
	f.SetRoom(most * each)
	l, err := f.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	refused, last := 0, ""
	for _, r := range l.Releases {
		if err := r.Installable(); strings.Contains(err.Error(), "larger than 32 MiB together") {
			refused, last = refused+1, r.ID
		}
	}
	if len(l.Releases) != most+3 || refused != 3 {
		t.Errorf("%d of %d cards were not read", refused, len(l.Releases))
	}
	// Whoever asks for one of them gets it.
	if one, err := f.Release(t.Context(), last); err != nil || strings.Contains(one.Installable().Error(), "together") {
		t.Errorf("%s: %v, %v", last, err, one.Installable())
	}
}

// The reason why a listing is stale is one a person can act on.
func TestStaleSaysWhy(t *testing.T) {
	s := shop{t, t.TempDir()}
	s.publish(1, "")
	f := open(t, feed.Options{Base: s.dir})
	if _, err := f.Browse(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	s.down()
	l, err := f.Browse(t.Context(), true)
	if err != nil || !strings.Contains(l.Stale, "cannot read connectors.json from "+s.dir) {
		t.Errorf("%q, %v", l.Stale, err)
	}
	// Those who install are told.
	var down *fetch.UnreachableError
	if _, err := f.Offer(t.Context(), "x"); !errors.As(err, &down) {
		t.Error(err)
	}
}

// Somebody who looks at one connector sees the last listing too, and is told so.
func TestShow(t *testing.T) {
	s := shop{t, t.TempDir()}
	s.publish(1, "")
	f := open(t, feed.Options{Base: s.dir})
	show := func(id string) string {
		r, from, err := f.Show(t.Context(), id)
		var unknown *feed.NotOfferedError
		switch {
		case errors.As(err, &unknown):
			return "not offered"
		case err != nil:
			return "down"
		}
		return fmt.Sprintf("%d, stale %v", r.Version, from.Stale != "")
	}
	steps := []string{show("../notes")}
	s.down()
	steps = append(steps, show("../notes")) // nothing to fall back on
	s.publish(2, "")
	if _, err := f.Browse(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	s.publish(3, "")
	steps = append(steps, show("../notes")) // as long as it is there it is asked
	s.down()
	steps = append(steps, show("../notes"), show("other"))
	if got := strings.Join(steps, "; "); got != "1, stale false; down; 3, stale false; 2, stale true; not offered" {
		t.Error(got)
	}
}
