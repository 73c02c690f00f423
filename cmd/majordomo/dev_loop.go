package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"majordomo/configs/manifest"
	"majordomo/install/author"
	"majordomo/install/author/watch"
	"majordomo/supervisor"
	"majordomo/supervisor/api"
)

// devLoop has the daemon run what is in a folder, always the last that can be run. Each version is one request that lasts
// as long as it runs; the next one takes its place.
type devLoop struct {
	client  *api.Client
	dir, id string
	request api.DevelopmentRequest
	say     func(phase, message string)

	sending sync.WaitGroup // the requests under way
	events  chan devEvent
	last    int        // number of the last version sent
	running devVersion // zero = none yet
	pending devVersion // sent, and not running yet; zero = none
	report  author.Report
	again   *time.Timer // when the folder is read again
}

// settle is how long a file that has become empty is taken for one that is being written: editors empty it first.
const settle = time.Second

// devVersion is what was sent to the daemon.
type devVersion struct {
	number int
	files  []manifest.File
	cancel context.CancelFunc
	end    error // it runs no more, perhaps because the one that is pending took its place
}

// devEvent is of one version: something that happened, or its end.
type devEvent struct {
	number   int
	progress *api.Progress // nil = it ended
	err      error
}

func newDevLoop(client *api.Client, dir string, r api.DevelopmentRequest, say func(phase, message string)) *devLoop {
	id := dir[strings.LastIndexByte(dir, '/')+1:]
	return &devLoop{client: client, dir: dir, id: id, request: r, say: say, events: make(chan devEvent), again: time.NewTimer(0)}
}

// run ends without an error when ctx does.
func (l *devLoop) run(ctx context.Context, changed <-chan error) error {
	defer l.sending.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer l.again.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-changed:
			if err != nil {
				l.say("watch", err.Error())
			}
			if _, restless := errors.AsType[*watch.Restless](err); !restless {
				l.readFolder(ctx, false)
			}
		case <-l.again.C:
			l.readFolder(ctx, true)
		case e := <-l.events:
			if err := l.handle(e); err != nil {
				return err
			}
		}
	}
}

// readFolder reads the folder, and sends what it ships when that is not what runs.
func (l *devLoop) readFolder(ctx context.Context, sure bool) {
	draft, err := author.Read(l.dir)
	l.lint(draft.Report)
	if err == nil {
		err = draft.Release.Installable()
	}
	if err != nil {
		l.dropPending()
		l.say("broken", err.Error()+l.meanwhile())
		return
	}
	files := draft.Release.Files
	switch {
	case l.pending.number != 0 && slices.Equal(files, l.pending.files):
		return
	case slices.Equal(files, l.running.files):
		l.dropPending()
		return
	case !sure && emptied(l.running.files, files):
		l.again.Reset(settle)
		return
	}
	if before := l.running; before.number != 0 {
		l.say("changed", strings.Join(differing(before.files, files), ", "))
	}
	l.send(ctx, draft)
}

func (l *devLoop) send(ctx context.Context, draft author.Draft) {
	l.dropPending()
	l.last++
	ctx, cancel := context.WithCancel(ctx)
	l.pending = devVersion{number: l.last, files: draft.Release.Files, cancel: cancel}
	number, r := l.last, l.request
	r.Files = draft.Files
	emit := func(e devEvent) {
		e.number = number
		select {
		case l.events <- e:
		case <-ctx.Done():
		}
	}
	l.sending.Go(func() {
		err := l.client.Develop(ctx, l.id, r, func(p api.Progress) { emit(devEvent{progress: &p}) })
		emit(devEvent{err: err})
	})
}

// dropPending gives up what was sent and does not run yet.
func (l *devLoop) dropPending() {
	if l.pending.cancel != nil {
		l.pending.cancel()
	}
	l.pending = devVersion{}
}

// handle returns why there is no point in going on, or nil.
func (l *devLoop) handle(e devEvent) error {
	ended := e.progress == nil
	switch {
	case e.number != l.running.number && e.number != l.pending.number: // nobody wants to know any more
	case ended && e.number == l.running.number:
		if l.running.end = e.err; l.pending.number == 0 {
			return e.err
		}
	case ended:
		l.dropPending()
		if l.running.end != nil {
			return l.running.end
		}
		if l.running.number == 0 && !mayBeMended(e.err) {
			return e.err
		}
		l.say("broken", e.err.Error()+l.meanwhile())
	case e.progress.Phase == supervisor.PhaseTaken:
		if l.running.cancel != nil {
			l.running.cancel()
		}
		l.running, l.pending = l.pending, devVersion{}
	default:
		l.say(e.progress.Phase, strings.TrimSpace(e.progress.Message+" "+e.progress.Detail))
	}
	return nil
}

// mayBeMended is true of what a change of the folder could mend, where nothing ran yet: not of a wrong command line.
func mayBeMended(err error) bool {
	said, ok := errors.AsType[*api.Error](err)
	return ok && said.Kind == api.Failed
}

func (l *devLoop) meanwhile() string {
	if l.running.number == 0 {
		return "; waiting for a change"
	}
	return "; what ran before goes on"
}

// lint tells findings, when they are others than before.
func (l *devLoop) lint(r author.Report) {
	if slices.Equal(r.Findings, l.report.Findings) {
		return
	}
	l.report = r
	for _, f := range r.Findings {
		where := f.File
		if f.Path != "" {
			where += ": " + f.Path
		}
		l.say("lint", f.Severity+" "+where+": "+f.Message+"; fix: "+f.Fix+" ["+f.Check+"]")
	}
	l.say("lint", count(r.Errors, "error")+", "+count(r.Warnings, "warning"))
}

// emptied reports whether a file is empty that was not before.
func emptied(before, after []manifest.File) bool {
	return slices.ContainsFunc(before, func(b manifest.File) bool {
		return b.Size > 0 && slices.ContainsFunc(after, func(a manifest.File) bool { return a.Path == b.Path && a.Size == 0 })
	})
}

// differing names the files that are not the same in both.
func differing(before, after []manifest.File) []string {
	var names []string
	for _, f := range slices.Concat(before, after) {
		if !(slices.Contains(before, f) && slices.Contains(after, f)) {
			names = append(names, f.Path)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
