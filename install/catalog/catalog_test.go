package catalog_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"majordomo/configs/database"
	"majordomo/install/catalog"
)

func TestCatalog(t *testing.T) {
	db, err := database.Open(filepath.Join(t.TempDir(), "majordomo.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ctx := t.Context()
	c, err := catalog.Open(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		do   func() error
		want string
	}{
		{func() error { return nil }, "map[]"},
		{func() error { return c.Put(ctx, "b", 1, []byte("b1")) }, "map[b:b1]"},
		{func() error { return c.Put(ctx, "a", 1, []byte("a1")) }, "map[a:a1 b:b1]"},
		{func() error { return c.Put(ctx, "b", 2, []byte("b2")) }, "map[a:a1 b:b2]"}, // replaces
		{func() error { return c.Delete(ctx, "a") }, "map[b:b2]"},
		{func() error { return c.Delete(ctx, "a") }, "map[b:b2]"}, // again is no error
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		all, err := c.All(ctx)
		text := map[string]string{}
		for id, receipt := range all {
			text[id] = string(receipt)
		}
		if got := fmt.Sprint(text); got != step.want || err != nil {
			t.Errorf("got %s, want %s (%v)", got, step.want, err)
		}
	}
	if got, err := c.Get(ctx, "b"); string(got) != "b2" || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	if got, err := c.Get(ctx, "gone"); got != nil || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

// The highest sequence of a key stays, also over a restart.
func TestAdvance(t *testing.T) {
	path := filepath.Join(t.TempDir(), "majordomo.db")
	for _, step := range []struct {
		key            string
		sequence, want int64
	}{
		{"a", 0, 0},
		{"a", 5, 5},
		{"a", 5, 5}, // again is not older
		{"a", 3, 5},
		{"b", 2, 2}, // another publisher
		{"a", 1<<63 - 1, 1<<63 - 1},
		{"a", 0, 1<<63 - 1},
	} {
		db, err := database.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		c, err := catalog.Open(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.Advance(t.Context(), step.key, step.sequence); got != step.want || err != nil {
			t.Errorf("%s to %d: got %d, %v, want %d", step.key, step.sequence, got, err, step.want)
		}
		db.Close()
	}
}
