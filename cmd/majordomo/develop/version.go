package develop

import (
	"context"

	"majordomo/configs/manifest"
	"majordomo/install/author"
	"majordomo/supervisor/api"
)

// version is what was sent to the daemon.
type version struct {
	number int
	files  []manifest.File
	cancel context.CancelFunc
	end    error // it runs no more, perhaps because the one that is pending took its place
}

// event is of one version: something that happened, or its end.
type event struct {
	number   int
	progress *api.Progress // nil = it ended
	err      error
}

func (l *Loop) send(ctx context.Context, draft author.Draft) {
	l.dropPending()
	l.last++
	ctx, cancel := context.WithCancel(ctx)
	l.pending = version{number: l.last, files: draft.Release.Files, cancel: cancel}
	number, r := l.last, l.Request
	r.Files = draft.Files
	emit := func(e event) {
		e.number = number
		select {
		case l.events <- e:
		case <-ctx.Done():
		}
	}
	l.sending.Go(func() {
		err := l.Client.Develop(ctx, l.id, r, func(p api.Progress) { emit(event{progress: &p}) })
		emit(event{err: err})
	})
}

// dropPending gives up what was sent and does not run yet.
func (l *Loop) dropPending() {
	if l.pending.cancel != nil {
		l.pending.cancel()
	}
	l.pending = version{}
}
