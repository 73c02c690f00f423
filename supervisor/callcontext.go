package supervisor

import (
	"context"
	"fmt"
	"time"
)

// callContext bounds one call: its context ends when nothing was heard of it for
// silence, and at the latest after ceiling, with a cause that says which.
func callContext(ctx context.Context, silence, ceiling time.Duration) (_ context.Context, heard func(), cancel func()) {
	timed, cancelTimed := context.WithTimeoutCause(ctx, ceiling, &outOfTime{"it took more than", ceiling})
	call, end := context.WithCancelCause(timed)
	timer := time.AfterFunc(silence, func() { end(&outOfTime{"nothing was heard within", silence}) })
	return call, func() { timer.Reset(silence) }, func() {
		end(nil)
		cancelTimed()
		timer.Stop()
	}
}

// outOfTime is why a call was given up.
type outOfTime struct {
	what  string
	limit time.Duration
}

func (e *outOfTime) Error() string { return fmt.Sprintf("%s %v", e.what, e.limit) }

// Unwrap makes it a context.DeadlineExceeded.
func (e *outOfTime) Unwrap() error { return context.DeadlineExceeded }
