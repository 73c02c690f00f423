package sandbox

import (
	"os"

	"go.uber.org/zap"
)

// watchOOM ends the whole tree when some of it was killed for lack of memory: what is left of a program that lost a part goes on in ways
// that nobody has thought of. On v2 the kernel does that. It returns what ends the watch, and waits for it.
func (h *Host) watchOOM(p *Process) (end func()) {
	events, err := p.group.OOMEvents()
	if err != nil {
		h.log.Warn("a connector that runs out of memory may lose one process only", zap.String("instance", p.spec.Name), zap.Error(err))
	}
	if events == nil {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.endOnOOM(events)
	}()
	return func() {
		_ = events.Close()
		<-done
	}
}

func (p *Process) endOnOOM(events *os.File) {
	if n, err := events.Read(make([]byte, 8)); err != nil || n != 8 {
		return // it was closed
	}
	if _, err := p.group.OOM(); err != nil {
		return // the group was removed, of which the kernel tells in the same way
	}
	p.outOfMemory.Store(true)
	p.Kill()
}
