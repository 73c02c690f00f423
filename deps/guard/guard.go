// Package guard keeps a connector's interpreter to the code that was shipped. The guide
// has code and data in one folder (guide §5), so the folder is one that the connector
// can write to, and that its interpreter looks for modules in. Two small programs, which
// python and node load before anything of the connector, leave out what the connector
// could have written.
//
// They keep a connector from changing what it will be at its next start. They are no
// wall around the connector that runs: that is the sandbox's. The package must never
// put anything where a connector could write to it. It starts no goroutines.
package guard

import (
	"bytes"
	"embed"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"majordomo/configs"
)

// Where a connector sees what Write puts into place.
const (
	Inside = "/run/majordomo"
	Python = Inside + "/python"         // goes first on PYTHONPATH
	Node   = Inside + "/node/guard.cjs" // for node's --require
)

//go:embed sitecustomize.py guard.cjs
var programs embed.FS

// places are the programs' names below the directory that is shown.
var places = map[string]string{"sitecustomize.py": "python/sitecustomize.py", "guard.cjs": "node/guard.cjs"}

// Nothing is an empty directory. It takes the place of the dependencies of a package
// that has none.
func Nothing(p configs.Paths) string { return filepath.Join(p.Guard(), "none") }

// Write puts both programs and Nothing into place. It changes nothing that is as it
// should be, and may be called while connectors run.
func Write(p configs.Paths) error {
	if err := os.MkdirAll(Nothing(p), 0o755); err != nil {
		return err
	}
	for program, place := range places {
		text, err := programs.ReadFile(program)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(p.Guard(), place), text); err != nil {
			return err
		}
	}
	return nil
}

func write(file string, text []byte) error {
	if there, err := os.ReadFile(file); err == nil && bytes.Equal(there, text) {
		return nil
	}
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return renameio.WriteFile(file, text, 0o444, renameio.WithTempDir(dir))
}
