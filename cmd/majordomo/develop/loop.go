// Package develop is the loop behind `majordomo dev`: it has the daemon run what is in a folder, always the last that can
// be run.
//
//	folder changes ─ folder.go reads and checks it ─ version.go sends it ─ the daemon's words come back as events
//
// It must never write to the folder. One goroutine for each version that was sent waits for the daemon; Run waits for all.
package develop

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"majordomo/install/author"
	"majordomo/install/author/watch"
	"majordomo/supervisor"
	"majordomo/supervisor/api"
)

// Options of a Loop. All are needed.
type Options struct {
	Client  *api.Client
	Dir     string                      // the connector's folder; its name is the connector's id
	Request api.DevelopmentRequest      // what is sent, but for the files
	Say     func(phase, message string) // is told whatever happens; it is called by Run only
}

// Loop is one run of a folder. Each version of it is one request that lasts as long as it runs; the next one takes its
// place.
type Loop struct {
	Options
	id string

	sending sync.WaitGroup // the requests under way
	events  chan event
	last    int     // number of the last version sent
	running version // zero = none yet
	pending version // sent, and not running yet; zero = none
	report  author.Report
	again   *time.Timer // when the folder is read again
}

// New prepares a Loop that has not looked at the folder yet.
func New(o Options) *Loop {
	return &Loop{Options: o, id: filepath.Base(o.Dir), events: make(chan event), again: time.NewTimer(0)}
}

// Run runs the folder, and again whenever changed says so or why it cannot. It ends without an error when ctx does, else
// with why there is no point in going on.
func (l *Loop) Run(ctx context.Context, changed <-chan error) error {
	defer l.sending.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer l.again.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-changed:
			l.change(ctx, err)
		case <-l.again.C:
			l.readFolder(ctx, true)
		case e := <-l.events:
			if err := l.handle(e); err != nil {
				return err
			}
		}
	}
}

func (l *Loop) change(ctx context.Context, err error) {
	if err != nil {
		l.Say("watch", err.Error())
	}
	if _, restless := errors.AsType[*watch.Restless](err); !restless {
		l.readFolder(ctx, false)
	}
}

// handle returns why there is no point in going on, or nil.
func (l *Loop) handle(e event) error {
	ended := e.progress == nil
	switch {
	case e.number != l.running.number && e.number != l.pending.number: // nobody wants to know any more
	case ended && e.number == l.running.number:
		if l.running.end = e.err; l.pending.number == 0 {
			return e.err
		}
	case ended:
		return l.failed(e.err)
	case e.progress.Phase == supervisor.PhaseTaken:
		if l.running.cancel != nil {
			l.running.cancel()
		}
		l.running, l.pending = l.pending, version{}
	default:
		l.Say(e.progress.Phase, strings.TrimSpace(e.progress.Message+" "+e.progress.Detail))
	}
	return nil
}

// failed is what becomes of a version that never ran.
func (l *Loop) failed(err error) error {
	l.dropPending()
	if l.running.end != nil {
		return l.running.end
	}
	if l.running.number == 0 && !mayBeMended(err) {
		return err
	}
	l.broken(err)
	return nil
}

// mayBeMended is true of what a change of the folder could mend, where nothing ran yet: not of a wrong command line.
func mayBeMended(err error) bool {
	said, ok := errors.AsType[*api.Error](err)
	return ok && said.Kind == api.Failed
}

// broken says why the folder cannot be run as it is, and what happens meanwhile.
func (l *Loop) broken(err error) {
	meanwhile := "what ran before goes on"
	if l.running.number == 0 {
		meanwhile = "waiting for a change"
	}
	l.Say("broken", err.Error()+"; "+meanwhile)
}
