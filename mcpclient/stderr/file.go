package stderr

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// file appends lines to a file and rotates it. Lines wait in a bounded queue;
// those that find the queue or the disk full are counted, and the count is
// written once there is room again.
type file struct {
	path string
	max  int64
	tell func(error) // of trouble; nil for nobody
	in   chan *Line
	lost atomic.Int64
	done chan struct{} // closed when the goroutine has ended

	// The goroutine's.
	out  *os.File // nil after it could not be opened again
	size int64
	fail bool // the last write did
}

func openFile(path string, limit int64, tell func(error)) (*file, error) {
	f := &file{path: path, max: limit, tell: tell, in: make(chan *Line, 256), done: make(chan struct{})}
	opened, tooLate := make(chan error), make(chan struct{})
	go func() {
		defer close(f.done)
		defer f.shut()
		err := f.open()
		select {
		case opened <- err:
			if err == nil {
				f.run()
			}
		case <-tooLate:
		}
	}()
	timer := time.NewTimer(diskPatience)
	defer timer.Stop()
	select {
	case err := <-opened:
		if err != nil {
			return nil, fmt.Errorf("cannot open the log %s: %w", path, err)
		}
		return f, nil
	case <-timer.C:
		close(tooLate)
		return nil, fmt.Errorf("cannot open the log %s: the disk does not answer", path)
	}
}

// open opens the file for appending. A symbolic link is not followed.
func (f *file) open() error {
	out, err := os.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	info, err := out.Stat()
	if err != nil {
		out.Close()
		return err
	}
	f.out, f.size = out, info.Size()
	return nil
}

// post queues a line. It never blocks, and must not be called after close.
func (f *file) post(l Line) {
	select {
	case f.in <- &l:
	default:
		f.lost.Add(1)
	}
}

// diskPatience is how long a disk that hangs may hold up the start and the end
// of a log.
const diskPatience = 3 * time.Second

// close writes what is queued and closes the file.
func (f *file) close() error {
	close(f.in)
	select {
	case <-f.done:
		return nil
	case <-time.After(diskPatience):
		return fmt.Errorf("cannot finish the log %s: the disk does not take it", f.path)
	}
}

func (f *file) shut() {
	if f.out != nil {
		_ = f.out.Close() // what could not be written was counted as lost, and there is nobody left to tell
	}
}

// maxWrite is where one write ends, although more lines are waiting.
const maxWrite = 32 << 10

// run writes lines, as many in one piece as are waiting.
func (f *file) run() {
	var buf []byte
	for first := range f.in {
		buf = appendLine(buf[:0], *first)
		lines := int64(1)
		for len(f.in) > 0 && len(buf) < maxWrite {
			buf = appendLine(buf, *<-f.in)
			lines++
		}
		lost := f.lost.Swap(0)
		if lost > 0 {
			buf = appendLine(buf, Line{At: first.At, Text: fmt.Sprintf("(%d lines were lost)", lost)})
		}
		err := f.write(buf)
		if err != nil {
			f.lost.Add(lost + lines)
		}
		f.went(err)
	}
}

// went tells of the first of several writes that failed.
func (f *file) went(err error) {
	if err != nil && !f.fail && f.tell != nil {
		f.tell(fmt.Errorf("cannot write the log %s: %w", f.path, err))
	}
	f.fail = err != nil
}

func appendLine(b []byte, l Line) []byte {
	b = l.At.UTC().AppendFormat(b, time.RFC3339Nano)
	b = append(b, ' ')
	b = append(b, l.Text...)
	return append(b, '\n')
}

// write appends b, in a new file if it does not fit into this one.
func (f *file) write(b []byte) error {
	if f.size > 0 && f.size+int64(len(b)) > f.max {
		f.rotate()
	}
	if f.out == nil {
		if err := f.open(); err != nil {
			return err
		}
	}
	n, err := f.out.Write(b)
	f.size += int64(n)
	return err
}

func (f *file) rotate() {
	if f.out != nil {
		f.out.Close()
	}
	f.out, f.size = nil, 0
	// When it cannot be renamed, appending to it would pass the limit.
	if os.Rename(f.path, f.path+".1") != nil {
		os.Remove(f.path)
	}
}
