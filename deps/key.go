package deps

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"

	"majordomo/sandbox/runtimes"
)

// source is one runtime file of the package, as it was when the key was made.
type source struct {
	path string
	mode fs.FileMode
	sum  [sha256.Size]byte
	// rewrite is what the build gets instead of the text, which stays the key's; nil = as it is.
	rewrite func(text string) string
}

func readSource(root *os.Root, path string) (source, error) {
	s := source{path: path}
	file, mode, err := openRegular(root, path)
	if err != nil {
		return s, err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return s, err
	}
	s.mode, s.sum = mode.Perm(), [sha256.Size]byte(h.Sum(nil))
	return s, nil
}

// openRegular opens a file that is one, not a link to one, and does not wait for a pipe's other end.
func openRegular(root *os.Root, path string) (*os.File, fs.FileMode, error) {
	info, err := root.Lstat(path)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s is not a regular file: install the connector again", path)
	}
	file, err := root.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, err
	}
	if opened, err := file.Stat(); err != nil || !os.SameFile(info, opened) {
		file.Close()
		return nil, 0, fmt.Errorf("%s was replaced while it was read", path)
	}
	return file, info.Mode(), nil
}

// readRegular is the text of a file that openRegular opens.
func readRegular(root *os.Root, path string) ([]byte, error) {
	file, _, err := openRegular(root, path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// key names the tree that this plan leads to: the same files, tools, platform and policy give the same key, and a change
// of any of them another. "" when there is nothing to install.
func (b *Builder) key(p *plan) string {
	if !p.wantsNPM() && !p.wantsPip() {
		return ""
	}
	h := newFields()
	// What is installed may hold its own path, and that has the id in it.
	h.add("majordomo dependency tree 2", p.pkg.ID, b.o.Scripts.String(), strconv.FormatBool(b.o.ScriptsNetwork))
	slices.SortFunc(p.files, func(a, b source) int { return cmp.Compare(a.path, b.path) })
	for _, f := range p.files {
		h.add(f.path, f.mode.String(), string(f.sum[:]))
	}
	for _, tool := range []runtimes.Runtime{p.node, p.npm, p.pip} {
		h.add(tool.Path, tool.Version, tool.ABI)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// fields is a hash over strings that cannot run into each other: each goes in after its length.
type fields struct{ hash.Hash }

func newFields() fields { return fields{sha256.New()} }

func (h fields) add(all ...string) {
	for _, s := range all {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(s))))
		io.WriteString(h, s)
	}
}
