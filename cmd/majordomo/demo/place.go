package demo

import (
	"os"
	"path/filepath"

	"majordomo/configs"
	"majordomo/deps"
)

// place is where a run keeps its files.
type place struct {
	dir   string // temporary: feed, configuration, the daemon's log, and the state unless that is to be kept
	state string
	feed  string
	// config is an empty file: a configuration of this host is for the daemon that runs its household.
	config string
	log    string
}

func newPlace(state string) (place, error) {
	dir, err := os.MkdirTemp("", "majordomo-demo-")
	if err != nil {
		return place{}, err
	}
	p := place{
		dir: dir, feed: filepath.Join(dir, "feed"), config: filepath.Join(dir, "config.toml"),
		log: filepath.Join(dir, "daemon.log"), state: filepath.Join(dir, "state"),
	}
	if state != "" {
		p.state, err = filepath.Abs(state)
	}
	if err == nil {
		err = os.CopyFS(p.feed, configs.ExampleFeed())
	}
	if err == nil {
		err = os.WriteFile(p.config, nil, 0o600)
	}
	if err != nil {
		p.remove()
	}
	return p, err
}

// remove deletes what is temporary, read-only dependency trees included.
func (p place) remove() { _ = deps.Remove(p.dir) }
