package turns

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
)

// One at a time for a key, side by side for different ones.
func TestOneAtATime(t *testing.T) {
	var turns Turns[string]
	a, b := 0, 0
	count := map[string]*int{"a": &a, "b": &b}
	var all sync.WaitGroup
	for range 100 {
		for k, n := range count {
			all.Go(func() {
				unlock, err := turns.Lock(t.Context(), k)
				if err != nil {
					t.Error(err)
					return
				}
				defer unlock()
				*n++ // the race detector watches
			})
		}
	}
	all.Wait()
	if a != 100 || b != 100 {
		t.Errorf("%d and %d", a, b)
	}
	if turns.Len() != 0 {
		t.Errorf("%d keys are remembered", turns.Len())
	}
	first, err := turns.Lock(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	second, err := turns.Lock(t.Context(), "b") // does not wait for a
	if err != nil {
		t.Fatal(err)
	}
	first()
	second()
}

// Who gives up leaves the turn with whoever has it, and nothing behind.
func TestGivesUpWithItsContext(t *testing.T) {
	var turns Turns[string]
	unlock, err := turns.Lock(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := turns.Lock(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if turns.Len() != 1 {
		t.Errorf("%d keys", turns.Len())
	}
	unlock()
	unlock, err = turns.Lock(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	unlock()
}

// However many keys somebody asked for, none is remembered afterwards.
func TestForgets(t *testing.T) {
	var turns Turns[string]
	for n := range 10_000 {
		unlock, err := turns.Lock(t.Context(), fmt.Sprint(n))
		if err != nil {
			t.Fatal(err)
		}
		unlock()
	}
	if turns.Len() != 0 {
		t.Errorf("%d keys are remembered", turns.Len())
	}
}
