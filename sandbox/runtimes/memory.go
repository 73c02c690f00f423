package runtimes

import (
	"os"
	"slices"
	"time"
)

// remembered is a runtime with the state of the files that would change with it.
type remembered struct {
	runtime  Runtime
	evidence []string
	stamps   []stamp
}

// stamp changes whenever a package manager replaces the file.
type stamp struct {
	size     int64
	modified time.Time
	info     os.FileInfo // for os.SameFile
}

func (f *Finder) remembered(name string) (Runtime, bool) {
	f.mu.Lock()
	r, ok := f.found[name]
	f.mu.Unlock()
	if !ok || !slices.EqualFunc(r.stamps, stamps(r.evidence), same) {
		return Runtime{}, false
	}
	return r.runtime, true
}

func (f *Finder) remember(name string, r Runtime, evidence []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.found == nil {
		f.found = map[string]remembered{}
	}
	f.found[name] = remembered{r, evidence, stamps(evidence)}
}

func stamps(files []string) []stamp {
	all := make([]stamp, len(files))
	for i, file := range files {
		if info, err := os.Stat(file); err == nil {
			all[i] = stamp{info.Size(), info.ModTime(), info}
		}
	}
	return all
}

// same is false where a file is gone.
func same(a, b stamp) bool {
	return a.info != nil && b.info != nil && os.SameFile(a.info, b.info) && a.size == b.size && a.modified.Equal(b.modified)
}
