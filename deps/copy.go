package deps

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// copySource copies one runtime file, and refuses it if its bytes are not those the key was made of.
func copySource(from, to *os.Root, s source) error {
	in, _, err := openRegular(from, s.path)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := to.MkdirAll(path.Dir(s.path), 0o755); err != nil {
		return err
	}
	out, err := to.OpenFile(s.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, s.mode|0o600)
	if err != nil {
		return err
	}
	defer out.Close()
	h := sha256.New()
	var copied strings.Builder
	writer := io.Writer(out)
	if s.rewrite != nil {
		writer = &copied
	}
	if _, err := io.Copy(io.MultiWriter(writer, h), in); err != nil {
		return err
	}
	if [sha256.Size]byte(h.Sum(nil)) != s.sum {
		return fmt.Errorf("%s changed while its dependencies were being installed: try again", s.path)
	}
	if s.rewrite != nil {
		if _, err := io.WriteString(out, s.rewrite(copied.String())); err != nil {
			return err
		}
	}
	return out.Close()
}

// copySources copies the runtime files of the package to where the build may write, and compares them with what the key was
// made of: an update may have swapped the package since.
func (j *job) copySources() error {
	from, err := os.OpenRoot(j.plan.pkg.Dir)
	if err != nil {
		return err
	}
	defer from.Close()
	if err := os.Mkdir(j.dir, 0o700); err != nil {
		return err
	}
	to, err := os.OpenRoot(j.dir)
	if err != nil {
		return err
	}
	defer to.Close()
	for _, s := range j.plan.files {
		if err := copySource(from, to, s); err != nil {
			return err
		}
	}
	if err := to.Mkdir(tmpName, 0o700); err != nil {
		return err
	}
	return j.giveToBuild(j.dir)
}

// giveToBuild makes the build's uid the owner of what the daemon made in dir.
func (j *job) giveToBuild(dir string) error {
	if os.Getuid() != 0 {
		return nil
	}
	return filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, j.uid, j.uid)
	})
}
