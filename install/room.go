package install

import (
	"io"
	"sync/atomic"

	"majordomo/configs/humanize"
	"majordomo/configs/manifest"
)

// bounded writes while there is room: what a feed declares may be less than what comes.
type bounded struct {
	w    io.Writer
	room *atomic.Int64
}

func (b bounded) Write(p []byte) (int, error) {
	if b.room.Add(-int64(len(p))) < 0 {
		return 0, errTooMuch
	}
	return b.w.Write(p)
}

var errTooMuch = &tooMuch{}

// tooMuch refuses a package that is larger than it says.
type tooMuch struct{}

func (*tooMuch) Error() string {
	return "its files are more than the limit of " + humanize.Bytes(manifest.MaxPackage) + " together"
}

func (*tooMuch) Refused() bool { return true }
