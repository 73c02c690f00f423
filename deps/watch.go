package deps

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"majordomo/configs/humanize"
	"majordomo/sandbox"
)

// A build may fill the disk with many files as well as with one. One is bounded by the kernel; of many somebody has to keep
// count. Counting a large tree takes time: it is done for a tenth of the time at most.
const (
	watchEvery = 500 * time.Millisecond
	watchShare = 10
	maxEntries = 1_000_000 // files and directories
)

// await returns when nothing of the process is left: it ended, ctx did, or it has written more than it may.
func (j *job) await(ctx context.Context, p *sandbox.Process) error {
	timer := time.NewTimer(watchEvery)
	defer timer.Stop()
	for {
		select {
		case <-p.Done():
			return j.checkSize()
		case <-ctx.Done():
			p.Stop(ctx, sandbox.Grace{}) // at once, since ctx has ended
			return nil
		case <-timer.C:
			begun := time.Now()
			if err := j.checkSize(); err != nil {
				p.Kill()
				p.Stop(ctx, sandbox.Grace{})
				return err
			}
			timer.Reset(max(watchEvery, watchShare*time.Since(begun)))
		}
	}
}

// checkSize fails when the partial tree, temporary files included, is larger than a build may make it.
func (j *job) checkSize() error {
	bytes, entries := j.size()
	if bytes <= j.o.Disk && entries <= maxEntries {
		return nil
	}
	return &tooLargeError{bytes, entries, j.o.Disk}
}

// size adds up what a build has written so far. Its processes may be at work in there: nothing is followed out of the tree, and
// what goes away meanwhile does not count.
func (j *job) size() (bytes int64, entries int) {
	root, err := os.OpenRoot(j.dir)
	if err != nil {
		return 0, 0
	}
	defer root.Close()
	_ = fs.WalkDir(root.FS(), ".", func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		entries++
		if info, err := e.Info(); err == nil {
			if st, ok := info.Sys().(*syscall.Stat_t); ok {
				bytes += st.Blocks * 512
			}
		}
		return nil
	})
	return bytes, entries
}

type tooLargeError struct {
	bytes   int64
	entries int
	disk    int64
}

func (e *tooLargeError) Error() string {
	if e.bytes > e.disk {
		return fmt.Sprintf("it wrote %s to disk, and one install may write %s (deps.disk)", humanize.Bytes(e.bytes), humanize.Bytes(e.disk))
	}
	return fmt.Sprintf("it made %d files and directories, and one install may make %d", e.entries, maxEntries)
}
