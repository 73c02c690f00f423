package process

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// A list of what was copied into a connector's directory is kept beside it, where the
// connector cannot write.

// copied reads the list.
func (l *Launcher) copied(member, name string) (names []string) {
	data, err := os.ReadFile(l.o.Paths.Copied(member, name))
	if err != nil || json.Unmarshal(data, &names) != nil {
		return nil
	}
	return names
}

// setCopied replaces the list; an empty one is no file.
func (l *Launcher) setCopied(member, name string, names []string) error {
	file := l.o.Paths.Copied(member, name)
	if len(names) == 0 {
		if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	data, err := json.Marshal(names)
	if err != nil {
		return err
	}
	return renameio.WriteFile(file, data, 0o600, renameio.WithTempDir(filepath.Dir(file)))
}
