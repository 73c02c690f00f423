package supervisor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"majordomo/configs/manifest"
)

// told is every event that a member may see.
func (h *house) told(member string) []Event {
	return slices.Collect(h.Events(h.t.Context(), member, false))
}

// A life is told step by step, each with its reason.
func TestEventsOfALife(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.SetLimits(Limits{Idle: 15 * time.Minute})
		h.activate()
		h.last().exit(errors.New("its process was killed by SIGSEGV"))
		h.settle(Backoff)
		h.settle(Serving)
		h.settle(Idle)
		if _, err := h.add(); err != nil {
			t.Error(err)
		}
		if err := h.StopConnector(t.Context(), "ann", "notes"); err != nil {
			t.Error(err)
		}
		var got []string
		for n, e := range h.told("ann") {
			if e.Number != uint64(n+1) || e.Member != "ann" || e.Connector != "notes" || e.At.IsZero() {
				t.Errorf("got %+v", e)
			}
			if e.Kind == EventNotice {
				got = append(got, fmt.Sprintf("notice %s: %s", e.Cause, e.Text))
			} else {
				got = append(got, fmt.Sprintf("%s %s: %s", e.To, e.Stage, e.Text))
			}
		}
		want := []string{
			"preparing : it is started anew", "starting : ", "ready : ",
			"crashed : its process was killed by SIGSEGV", "backoff : its process was killed by SIGSEGV",
			"notice protocol: its process was killed by SIGSEGV",
			"preparing : it is tried again", "starting : ", "ready : ",
			"stopping : nobody called it for 15m0s", "idle stdin: nobody called it for 15m0s",
			"preparing : it is called", "starting : ", "ready : ",
			"stopping : a person stopped it", "idle stdin: a person stopped it",
		}
		if !slices.Equal(got, want) {
			t.Errorf("got\n%q, want\n%q", got, want)
		}
	})
}

// A connector that crashes thirty times bothers people twice: that it crashes, and
// that it was given up. An hour later once more, with how often it was not told.
func TestNoticesAreNotRepeated(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		notices := func() (all []Event) {
			for _, e := range h.told("ann") {
				if e.Kind == EventNotice {
					all = append(all, e)
				}
			}
			return all
		}
		for range 30 {
			h.last().exit(errors.New("crash"))
			synctest.Wait()
			time.Sleep(wakeAfter)
			if _, err := h.add(); err != nil {
				t.Fatal(err)
			}
		}
		got := notices()
		if len(got) != 2 || got[0].To != Backoff || got[1].To != Failed || got[0].Next == "" {
			t.Errorf("got %+v", got)
		}
		time.Sleep(quiet)
		h.last().exit(errors.New("crash"))
		synctest.Wait()
		if got = notices(); len(got) != 3 || got[2].Count != 6 {
			t.Errorf("an hour later: %+v", got)
		}
	})
}

// Who follows sees what is theirs, and the daemon's own events are for admins.
func TestWhoSeesWhat(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		if err := h.AddMember(t.Context(), Member{Name: "bob"}); err != nil {
			t.Fatal(err)
		}
		h.offer(manifest.Release{ID: "mail"})
		seen := map[string]map[string]int{}
		for _, who := range []string{"ann", "bob", ""} {
			seen[who] = map[string]int{}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			events := h.Events(ctx, who, true)
			go func() {
				for e := range events {
					seen[who][e.Member]++
				}
			}()
		}
		h.activate()
		if _, err := h.Activate(t.Context(), Request{Member: "bob", Connector: "mail"}); err != nil {
			t.Error(err)
		}
		h.Announce("limits.idle is 10m0s now")
		synctest.Wait()
		want := map[string]map[string]int{"ann": {"ann": 3}, "bob": {"bob": 3}, "": {"ann": 3, "bob": 3, "": 1}}
		if fmt.Sprint(seen) != fmt.Sprint(want) {
			t.Errorf("got %v, want %v", seen, want)
		}
	})
}

// A reader that does not read holds up nobody, keeps a bounded number waiting, and
// is told how many it missed.
func TestSlowReader(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		awake := make(chan struct{})
		var numbers, lost int
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			for e := range h.Events(ctx, "ann", true) {
				<-awake
				if e.Kind == EventLost {
					lost += e.Count
				} else {
					numbers++
				}
			}
		}()
		synctest.Wait()
		h.activate() // the reader is stuck with the first of three
		const more = 2 * readAhead
		for range more {
			h.existing(key{"ann", "notes"}).post(func() {
				h.bus.publish(Event{Kind: EventState, Member: "ann", Connector: "notes"})
			})
		}
		if _, err := h.add(); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		close(awake)
		synctest.Wait()
		if numbers+lost != more+3 || lost == 0 || numbers > readAhead+1 {
			t.Errorf("%d events came and %d were lost", numbers, lost)
		}
		cancel()
		<-done
		if len(h.bus.readers) != 0 || len(h.bus.kept) > keptEvents {
			t.Errorf("%d readers and %d events are left", len(h.bus.readers), len(h.bus.kept))
		}
	})
}
