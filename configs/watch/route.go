package watch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxLinks is where the kernel gives up too.
const maxLinks = 40

// route lists the names whose change can change what is read from file: each link on the way to its bytes, and the place where they
// are. It ends at the first name that is missing.
func route(file string) (names []string) {
	at, rest := "/", split(file)
	for len(rest) > 0 && len(names) < maxLinks {
		name := filepath.Join(at, rest[0])
		rest = rest[1:]
		info, err := os.Lstat(name)
		switch to, _ := os.Readlink(name); {
		case err != nil:
			return append(names, name)
		case info.Mode()&os.ModeSymlink == 0:
			at = name
		case filepath.IsAbs(to):
			names, at, rest = append(names, name), "/", append(split(to), rest...)
		default:
			names, rest = append(names, name), append(split(to), rest...)
		}
	}
	return append(names, at)
}

// split keeps "..", which is taken from where a link has led.
func split(path string) []string {
	return slices.DeleteFunc(strings.Split(path, "/"), func(part string) bool { return part == "" || part == "." })
}

// follow watches the directories of all names on the route, as it is now.
func (w *Watch) follow() error {
	w.names = route(w.file)
	var dirs []string
	for _, name := range w.names {
		// The directory, because a file that is renamed into place is another one than that which was watched.
		dir := filepath.Dir(name)
		if err := w.notify.Add(dir); err != nil {
			return err
		}
		dirs = append(dirs, dir)
	}
	for _, dir := range w.notify.WatchList() {
		if !slices.Contains(dirs, dir) {
			_ = w.notify.Remove(dir) // it may be gone
		}
	}
	return nil
}
