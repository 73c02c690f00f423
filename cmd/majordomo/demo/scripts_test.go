package demo

import (
	"encoding/json"
	"io/fs"
	"slices"
	"testing"

	"majordomo/configs"
	"majordomo/install/author"
)

// The demo shows every connector of the example feed, and nothing else.
func TestScriptsCoverTheFeed(t *testing.T) {
	text, err := fs.ReadFile(configs.ExampleFeed(), "index.json")
	if err != nil {
		t.Fatal(err)
	}
	var offered, shown []string
	if err := json.Unmarshal(text, &offered); err != nil {
		t.Fatal(err)
	}
	for _, s := range scripts {
		shown = append(shown, s.id)
	}
	if !slices.Equal(offered, shown) {
		t.Errorf("the feed offers %v, the demo shows %v", offered, shown)
	}
}

// connectors.json comes from our own compiler, and from these very files.
func TestFeedIsCompiled(t *testing.T) {
	if err := author.Verify("../../../configs/feed"); err != nil {
		t.Error(err)
	}
}
