package deps

import (
	"sync"
	"time"
)

// A failing install is tried again after a few seconds, and then less and less often: its cause is seldom gone at once,
// and every start of the connector asks.
const (
	firstPause = 5 * time.Second
	maxPause   = 5 * time.Minute
)

// failures remembers what failed lately, by key.
type failures struct {
	mu    sync.Mutex
	byKey map[string]failure
}

type failure struct {
	err     InstallError
	pause   time.Duration
	retryAt time.Time
}

// recent returns the last error of this key while it is too early for another try.
func (f *failures) recent(key string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	last, ok := f.byKey[key]
	if !ok || !time.Now().Before(last.retryAt) {
		return nil
	}
	err := last.err
	err.RetryAt = last.retryAt
	return &err
}

func (f *failures) add(key string, err *InstallError) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byKey == nil {
		f.byKey = map[string]failure{}
	}
	pause := min(max(2*f.byKey[key].pause, firstPause), maxPause)
	f.byKey[key] = failure{*err, pause, time.Now().Add(pause)}
}

func (f *failures) forget(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.byKey, key)
}
