package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"majordomo/configs"
	"majordomo/configs/manifest"
	"majordomo/deps"
	"majordomo/sandbox"
)

const checks = 200 // in one round, each timed by itself: a pause that the system takes belongs to one of them, not to all

// measureCheck: 20 files, of which package.json asks for a package that lies beside it, so that a real tree is built
// without a registry. Each check is what every start of the connector does before it starts anything.
func measureCheck(ctx context.Context, place string, rounds int) (result, error) {
	place = filepath.Join(place, "check")
	paths := configs.Paths{State: filepath.Join(place, "state")}
	p := deps.Package{ID: "twenty", Dir: paths.Connector("twenty")}
	files := map[string]string{
		"package.json": `{"dependencies": {"nothing": "file:nothing"}}`, "nothing/package.json": `{"name": "nothing", "version": "1.0.0"}`,
		"nothing/index.js": "// measured\n",
	}
	for i := range 17 {
		files[fmt.Sprintf("part%d.js", i)] = "// measured\n"
	}
	for name, text := range files {
		file := filepath.Join(p.Dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			return result{}, err
		}
		p.Files = append(p.Files, manifest.File{Path: name})
	}
	host, err := sandbox.New(sandbox.Options{StateDir: paths.State})
	if err != nil {
		return result{}, unmeasured{err}
	}
	defer host.Close()
	counted := &starter{host: host}
	builder := deps.New(deps.Options{Paths: paths, Sandbox: counted})
	if _, err := builder.Ensure(ctx, p, nil); err != nil {
		return result{}, err
	}
	defer deps.Remove(paths.State)
	if counted.n == 0 {
		return result{}, errors.New("the first build started nothing: there is nothing to compare with")
	}
	before := counted.n
	var all spread
	for range rounds * checks {
		took, err := timed(func() error {
			_, err := builder.Ensure(ctx, p, nil)
			return err
		})
		if err != nil {
			return result{}, err
		}
		all = append(all, took)
	}
	measured := fmt.Sprintf("%s, %d processes", short(all.median()), counted.n-before)
	return result{all.String(), "200µs", measured, all.median() <= 200*time.Microsecond && counted.n == before}, nil
}

// starter counts.
type starter struct {
	host *sandbox.Host
	n    int
}

func (s *starter) Start(ctx context.Context, spec sandbox.Spec) (*sandbox.Process, error) {
	s.n++
	return s.host.Start(ctx, spec)
}
