package configs

import (
	"embed"
	"io/fs"
)

//go:embed all:feed
var exampleFeed embed.FS

// ExampleFeed is the feed of real and model connectors that `majordomo demo` runs, with connectors.json at its root.
func ExampleFeed() fs.FS {
	sub, err := fs.Sub(exampleFeed, "feed")
	if err != nil {
		panic(err) // cannot happen: the name is a valid constant path
	}
	return sub
}
