package main

import (
	"strings"
	"testing"

	"majordomo/supervisor/api"
)

// With --json nobody is shown how it goes on.
func TestWatchedJSON(t *testing.T) {
	var out strings.Builder
	a := &app{err: &out, json: true}
	if _, err := watched(a, func(show func(api.Progress)) (int, error) {
		if show != nil {
			t.Error("somebody wants progress")
		}
		return 0, nil
	}); err != nil || out.String() != "" {
		t.Errorf("%q, %v", out.String(), err)
	}
}
