package process

import (
	"sync"

	"majordomo/configs/digest"
	"majordomo/mcpclient"
)

// eras knows which packages are asked first for the protocol without a handshake.
// Most connectors that speak only that one say so when they are asked to
// initialize. For one that ended then, or stayed silent, the next start is a
// trial of the other era, once for each package: there are good connectors that
// do not survive that question, and those have only failed to start.
type eras struct {
	mu sync.Mutex // protects of
	of map[release]era
}

type release struct {
	connector string
	digest    digest.SHA256
}

type era struct {
	modern bool // is asked for first
	tried  bool // and will not be tried for once more
}

// modern reports whether the next start asks for 2026-07-28 first.
func (e *eras) modern(r release) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.of[r].modern
}

// opened remembers the era of a session.
func (e *eras) opened(r release, s *mcpclient.Session) {
	e.set(r, era{modern: s.Modern(), tried: true})
}

// failed hears of a start of which nothing came; mute says that the connector
// never said a thing.
func (e *eras) failed(r release, mute bool) {
	e.mu.Lock()
	before := e.of[r]
	e.mu.Unlock()
	if mute || before.modern {
		e.set(r, era{modern: mute && !before.tried, tried: true})
	}
}

func (e *eras) set(r release, what era) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.of == nil {
		e.of = map[release]era{}
	}
	e.of[r] = what
}
