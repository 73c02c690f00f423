package deps

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"majordomo/configs"
	"majordomo/sandbox"
)

// stuck is a sandbox whose starts take as long as the test wants, and then fail.
type stuck struct {
	starts  atomic.Int32
	started chan struct{}
	release chan struct{}
}

func newStuck() *stuck { return &stuck{started: make(chan struct{}, 9), release: make(chan struct{})} }

func (s *stuck) Start(ctx context.Context, _ sandbox.Spec) (*sandbox.Process, error) {
	s.starts.Add(1)
	s.started <- struct{}{}
	select {
	case <-s.release:
		return nil, errors.New("no sandbox here")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func stuckBuilder(t *testing.T) (*Builder, *stuck, Package) {
	tool(t, "npm")
	state := t.TempDir()
	s := newStuck()
	b := New(Options{Paths: configs.Paths{State: state}, Sandbox: s, Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + state}})
	return b, s, connector(t, state, map[string]string{"package.json": `{"dependencies": {"x": "1"}}`})
}

func TestCallersShareOneBuild(t *testing.T) {
	b, s, p := stuckBuilder(t)
	var waiting sync.WaitGroup
	var failed atomic.Int32
	for range 5 {
		waiting.Go(func() {
			var e *InstallError
			if _, err := b.Ensure(t.Context(), p, nil); errors.As(err, &e) {
				failed.Add(1)
			}
		})
	}
	<-s.started
	close(s.release)
	waiting.Wait()
	if s.starts.Load() != 1 || failed.Load() != 5 {
		t.Errorf("%d builds, %d callers were told", s.starts.Load(), failed.Load())
	}
	// What failed a moment ago is not tried again, unless a person asks.
	if _, err := b.Ensure(t.Context(), p, nil); err == nil || s.starts.Load() != 1 {
		t.Errorf("%d builds, %v", s.starts.Load(), err)
	}
	p.Force = true
	if _, err := b.Ensure(t.Context(), p, nil); err == nil || s.starts.Load() != 2 {
		t.Errorf("%d builds, %v", s.starts.Load(), err)
	}
	nothingLeft(t, b)
}

func TestBuildEndsWithItsLastCaller(t *testing.T) {
	b, s, p := stuckBuilder(t)
	first, leave := context.WithCancel(t.Context())
	second, leaveToo := context.WithCancel(t.Context())
	results := make(chan error, 2)
	ensure := func(ctx context.Context) {
		_, err := b.Ensure(ctx, p, nil)
		results <- err
	}
	go ensure(first)
	<-s.started
	go ensure(second)
	for joined := false; !joined; runtime.Gosched() {
		b.mu.Lock()
		for _, f := range b.flights {
			joined = f.waiters == 2
		}
		b.mu.Unlock()
	}
	leave()
	if err := <-results; !errors.Is(err, context.Canceled) {
		t.Errorf("the first got %v", err)
	}
	if s.starts.Load() != 1 || len(s.started) != 0 {
		t.Error("the build did not go on for the second")
	}
	leaveToo()
	if err := <-results; !errors.Is(err, context.Canceled) {
		t.Errorf("the second got %v", err)
	}
	nothingLeft(t, b)
	// That nobody waited is not the package's failure.
	close(s.release)
	var e *InstallError
	if _, err := b.Ensure(t.Context(), p, nil); !errors.As(err, &e) || !e.RetryAt.IsZero() {
		t.Errorf("a new caller got %v", err)
	}
}

// nothingLeft checks that no build left anything but caches.
func nothingLeft(t *testing.T, b *Builder) {
	t.Helper()
	left, err := os.ReadDir(b.o.Paths.Deps())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range left {
		if e.Name() != "cache" {
			t.Errorf("%s is left", filepath.Join(b.o.Paths.Deps(), e.Name()))
		}
	}
	if len(b.flights) != 0 {
		t.Error("a flight is left")
	}
}

// A listener that blocks holds up neither the build nor who else waits for it, and may ask the Builder something itself.
func TestListenerThatBlocks(t *testing.T) {
	b, s, p := stuckBuilder(t)
	block, blocked := make(chan struct{}), make(chan struct{})
	var once sync.Once
	first := make(chan error, 1)
	go func() {
		_, err := b.Ensure(t.Context(), p, func(Event) {
			once.Do(func() { close(blocked); <-block })
		})
		first <- err
	}()
	<-blocked
	<-s.started
	close(s.release)
	var e *InstallError
	if _, err := b.Ensure(t.Context(), p, func(e Event) {

		_, _ = b.Unused(t.Context(), Use{})
	}); !errors.As(err, &e) {
		t.Errorf("the second got %v", err)
	}
	close(block)
	if err := <-first; !errors.As(err, &e) {
		t.Errorf("the first got %v", err)
	}
}

func TestSubscriberIsBounded(t *testing.T) {
	m := newSubscriber()
	for range 3 * backlog {
		m.put(Event{Phase: "npm fetch", Line: "more"})
	}
	m.put(Event{Phase: "check"})
	var got []Event
	m.deliver(func(e Event) { got = append(got, e) })
	if len(got) != backlog+1 || got[backlog].Phase != "check" {
		t.Errorf("%d events, the last %+v", len(got), got[len(got)-1])
	}
}
