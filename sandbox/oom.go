package sandbox

import "go.uber.org/zap"

// watchOOM ends the whole tree when some of it was killed for lack of memory: what is left of a program that lost a part goes on in ways
// that nobody has thought of. On v2 the kernel does that. It returns what ends the watch, and waits for it.
func (h *Host) watchOOM(p *Process) (end func()) {
	w, err := p.group.WatchOOM()
	if err != nil {
		h.log.Warn("a connector that runs out of memory may lose one process only", zap.String("instance", p.spec.Name), zap.Error(err))
	}
	if w == nil {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if w.Killed() {
			p.outOfMemory.Store(true)
			p.Kill()
		}
	}()
	return func() {
		w.Stop()
		<-done
		w.Close()
	}
}
