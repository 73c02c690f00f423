package install

import (
	"io"
	"time"

	"majordomo/configs/manifest"
)

// transfer counts the bytes of one file on their way to w.
type transfer struct {
	w      io.Writer
	p      *progress
	got    int64
	expect int64 // its part of BytesTotal
}

func (p *progress) transfer(f manifest.File, w io.Writer) *transfer {
	return &transfer{w: w, p: p, expect: max(f.Size, 0)}
}

func (t *transfer) Write(b []byte) (int, error) {
	n, err := t.w.Write(b)
	t.p.received(t, int64(n))
	return n, err
}

// received counts bytes. Those that were not declared raise the total, so that it
// is never less than what has come.
func (p *progress) received(t *transfer, n int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	t.got += n
	p.event.Bytes += n
	p.rate.add(now, n)
	if over := t.got - t.expect; p.sized && over > 0 {
		t.expect, p.event.BytesTotal = t.got, p.event.BytesTotal+over
	}
	if now.Sub(p.reported) >= reportEvery {
		p.tellLocked("")
	}
}

// finished counts a file. Bytes that were declared and did not come leave the total.
func (p *progress) finished(t *transfer, file string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sized {
		p.event.BytesTotal -= t.expect - t.got
	}
	p.event.Files++
	p.tellLocked(file)
}
