package deps

import (
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"go.uber.org/zap"
)

// A tree is nobody's to write to, but a disk can lose what it holds, and a person can clear up. At its first use by a daemon a
// tree is compared with its receipt by what the file system says of each entry, which costs some milliseconds; bytes are not
// read again. After that its root's inode is looked at.

// fingerprint is a digest over name, kind, mode, size and time of everything below dir, but for the receipt.
func fingerprint(dir string) (string, error) {
	h := newFields()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir || path == filepath.Join(dir, receiptName) {
			return err
		}
		h.add(path[len(dir):], d.Type().String())
		switch {
		case d.Type() == fs.ModeSymlink:
			text, err := os.Readlink(path)
			h.add(text)
			return err
		case d.IsDir(): // what is in it says the rest
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		h.add(info.Mode().String(), strconv.FormatInt(info.Size(), 10), strconv.FormatInt(info.ModTime().UnixNano(), 10))
		return nil
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

// intact remembers which trees were found to be what they should be, as long as their roots stay the same.
type intact struct {
	mu   sync.Mutex // protects the field below
	good map[string]stamp
}

// whole is true of a tree that is as it was built. What was built before receipts had a fingerprint is taken as it is.
func (b *Builder) whole(dir string, r receipt) bool {
	root := stampOf(dir)
	b.intact.mu.Lock()
	known := b.intact.good[dir] == root
	b.intact.mu.Unlock()
	if known || r.Fingerprint == "" {
		return true
	}
	now, err := fingerprint(dir)
	if err != nil || now != r.Fingerprint {
		b.o.Log.Warn("dependencies are not what was installed: they are installed again", zap.String("connector", r.Connector),
			zap.String("tree", dir), zap.Error(err))
		return false
	}
	b.intact.mu.Lock()
	defer b.intact.mu.Unlock()
	if b.intact.good == nil {
		b.intact.good = map[string]stamp{}
	}
	b.intact.good[dir] = root
	return true
}
