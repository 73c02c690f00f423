package delivery

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Modes of what is copied: nobody but the daemon can write to it, everybody can read it.
const (
	fileMode fs.FileMode = 0o444
	execMode fs.FileMode = 0o555
	dirMode  fs.FileMode = 0o555
)

// Mode is that of a copy of what has this mode.
func Mode(original fs.FileMode) fs.FileMode {
	switch {
	case original.IsDir():
		return dirMode
	case original&0o111 != 0:
		return execMode
	}
	return fileMode
}

// Duplicate copies a file or a directory, which nobody writes to meanwhile, to a place
// that does not exist yet, in a directory that is the daemon's alone. Links are
// copied as they are. The copies are new files, the daemon's own and read-only. What a
// failure leaves is the caller's to remove.
func Duplicate(ctx context.Context, way Way, from, to string) error {
	var dirs []string
	err := filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		target := to + path[len(from):]
		switch {
		case e.IsDir():
			dirs = append(dirs, target)
			return os.Mkdir(target, 0o700)
		case e.Type() == fs.ModeSymlink:
			text, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return os.Symlink(text, target)
		case e.Type().IsRegular():
			return duplicateFile(way, path, target)
		}
		return fmt.Errorf("cannot copy %s: it is neither a file nor a directory", path)
	})
	if err != nil {
		return err
	}
	for i := len(dirs) - 1; i >= 0; i-- {
		if err := os.Chmod(dirs[i], dirMode); err != nil {
			return err
		}
	}
	return nil
}

func duplicateFile(way Way, from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if way != Reflink || unix.IoctlFileClone(int(out.Fd()), int(in.Fd())) != nil { // a single file may be one that cannot be cloned
		if _, err := io.Copy(out, in); err != nil {
			return err
		}
	}
	return out.Chmod(Mode(info.Mode()))
}
