package sandbox

import "runtime"

// starter runs functions one after another on one OS thread that lives as long as it does. An init dies with the thread that
// started it, and Go ends threads as it likes: only a thread that is kept will do.
type starter struct {
	jobs chan func()
	gone chan struct{}
}

func newStarter() *starter {
	s := &starter{jobs: make(chan func()), gone: make(chan struct{})}
	go s.loop()
	return s
}

func (s *starter) loop() {
	defer close(s.gone)
	runtime.LockOSThread() // never unlocked: the thread ends with the goroutine, and with it what it started
	for job := range s.jobs {
		job()
	}
}

// do runs f on the thread and returns when it has.
func (s *starter) do(f func()) {
	done := make(chan struct{})
	s.jobs <- func() { defer close(done); f() }
	<-done
}

// stop ends the thread. No do may be running or follow.
func (s *starter) stop() {
	close(s.jobs)
	<-s.gone
}
