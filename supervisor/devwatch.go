package supervisor

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// watchDevVersion starts the instance and reports what becomes of it.
func (s *Supervisor) watchDevVersion(ctx context.Context, dev *devVersion, in *instance, report func(Progress)) error {
	var following sync.WaitGroup
	ctx, stop := context.WithCancel(ctx)
	defer following.Wait()
	defer stop()
	begun := time.Now()
	in.openLog(Plan{Member: dev.act.Member, Connector: dev.act.Connector, Name: dev.act.Name, Secrets: dev.filled.sealed})
	following.Go(func() {
		for line := range in.log.lines(ctx, true) {
			if line.At.After(begun) {
				report(Progress{Phase: "log", Message: line.Text})
			}
		}
	})
	report(Progress{Phase: PhaseTaken, Message: "running these files"})
	views := make(chan *view, 16)
	in.post(func() { in.onDevVersion(views) })
	for {
		select {
		case v := <-views:
			if p, worth := in.tell(v); worth {
				report(p)
			}
		case <-dev.replaced:
			return errTaken
		case <-in.gone:
			return fmt.Errorf("cannot go on with %s: %w", dev.key.connector, errEnded)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// onDevVersion starts anew and has whoever watches told from now on.
func (i *instance) onDevVersion(views chan<- *view) {
	i.lastError, i.cause, i.restarts = nil, nil, 0
	i.stopped.Store(false)
	last := State("")
	i.watch = func(v *view) {
		if v.state == last {
			return
		}
		last = v.state
		select {
		case views <- v:
		default: // nobody reads that fast, and the next one will do
		}
	}
	i.onReload()
}

// tell says what an author wants to know of a view.
func (i *instance) tell(v *view) (p Progress, worth bool) {
	switch v.state {
	case Starting:
		return Progress{Phase: string(v.state), Message: ""}, true
	case Serving:
		return Progress{Phase: string(v.state), Message: fmt.Sprintf("tools: %d", len(*i.tools.Load()))}, true
	case Backoff:
		return Progress{Phase: string(v.state), Message: v.cause.Text + "; it will be tried again"}, true
	case Failed:
		return Progress{Phase: string(v.state), Message: v.cause.Text}, true
	}
	return Progress{}, false
}
