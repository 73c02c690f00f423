package author

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"majordomo/configs/humanize"
	"majordomo/configs/manifest"
)

// WrongFolderError says that a folder is not one that can be worked on.
type WrongFolderError struct{ Verb, Dir, Why string }

func (e *WrongFolderError) Error() string { return "cannot " + e.Verb + " " + e.Dir + ": " + e.Why }

// target finds out what dir is: a feed, which has an index.json, or a connector,
// which has one of its two documents. Anything else is a WrongFolderError.
func target(verb, dir string) (abs string, isFeed bool, err error) {
	wrong := func(format string, args ...any) (string, bool, error) {
		return "", false, &WrongFolderError{verb, dir, fmt.Sprintf(format, args...)}
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return wrong("there is no such folder")
	case err != nil:
		return wrong("%v", humanize.Error(err))
	case !info.IsDir():
		return wrong("it is a file, want the folder of a connector or of a feed")
	}
	if abs, err = filepath.Abs(dir); err != nil {
		return "", false, err
	}
	if _, err := os.ReadDir(abs); err != nil {
		return wrong("it cannot be read: %v", humanize.Error(err))
	}
	has := func(name string) bool { _, err := os.Lstat(filepath.Join(abs, name)); return err == nil }
	switch {
	case has(orderName):
		return abs, true, nil
	case filepath.Dir(abs) == abs:
		return wrong("it is the root of the file system")
	case has(manifest.Name) || has(fragmentName):
		return abs, false, nil
	}
	return wrong("it has no %s and no %s, as a connector would, and no %s, as a feed would", manifest.Name, fragmentName, orderName)
}

// connectors are the folders of a feed that look like one, for a sentence.
func connectors(feed string) string {
	found, _ := filepath.Glob(filepath.Join(feed, "*", manifest.Name)) // the pattern is ours
	var names []string
	for _, name := range found {
		names = append(names, filepath.Base(filepath.Dir(name)))
	}
	return strings.Join(names, ", ")
}

// read reads a document of at most limit bytes, and says why it cannot in a whole
// sentence. It waits for nothing: what is no file, such as a pipe, is not opened.
func read(root fs.FS, name string, limit int64) ([]byte, error) {
	info, err := fs.Stat(root, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &noneError{err}
	case err != nil:
		return nil, unread(err)
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a file")
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, unread(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return nil, unread(err)
	case int64(len(data)) > limit:
		return nil, fmt.Errorf("it is larger than %s", humanize.Bytes(limit))
	}
	return data, nil
}

func unread(err error) error { return fmt.Errorf("it cannot be read: %w", humanize.Error(err)) }

// noneError is fs.ErrNotExist in plain words.
type noneError struct{ error }

func (e *noneError) Error() string { return "there is none" }
func (e *noneError) Unwrap() error { return e.error }
