package manifest

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Receipt is the file that install adds to a package.
const Receipt = ".majordomo-receipt.json"

// reserved are names at the top of a package that belong to whoever runs it
// (guide §4d, §5), not to whoever ships it.
var reserved = []string{".skald-install.lock", "node_modules", ".pydeps", "auth", Receipt}

var idPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// CheckID says why id cannot be the id or folder of a connector.
func CheckID(id string) error {
	if !idPattern.MatchString(id) || strings.Contains(id, "..") {
		return fmt.Errorf("%.80q is not a name: want up to 64 of a-z 0-9 . _ -, without .. and beginning with a letter or digit", id)
	}
	return nil
}

// CheckPath says why p cannot be the path of a file in a package (guide §8).
func CheckPath(p string) error {
	switch {
	case p == "":
		return errors.New("the path is empty")
	case !utf8.ValidString(p) || strings.ContainsFunc(p, unicode.IsControl):
		return fmt.Errorf("%.80q contains characters that no file name should", p)
	case strings.HasPrefix(p, "/"):
		return fmt.Errorf("%.80q is absolute, it must stay inside the connector's folder", p)
	case strings.ContainsAny(p, `\:`):
		return fmt.Errorf("%.80q contains a backslash or a colon", p)
	case len(p) > 512:
		return fmt.Errorf("%.80q… is longer than 512 bytes", p)
	}
	for part := range strings.SplitSeq(p, "/") {
		if part == "" || part == "." || part == ".." {
			return fmt.Errorf("%.80q is not a plain relative path, it must stay inside the connector's folder", p)
		}
		if len(part) > 255 {
			return fmt.Errorf("%.80q… has a part longer than 255 bytes", p)
		}
	}
	top, _, _ := strings.Cut(p, "/")
	for _, name := range reserved {
		if strings.EqualFold(top, name) {
			return fmt.Errorf("%.80q uses the name %s, which is not the publisher's to ship", p, name)
		}
	}
	return nil
}

// CheckPaths says why paths cannot be created side by side: each by itself, then
// duplicates, a file where another needs a directory, and names that differ by
// case only, which not every filesystem keeps apart.
func CheckPaths(paths []string) error {
	files, dirs := map[string]string{}, map[string]string{}
	for _, p := range paths {
		if err := CheckPath(p); err != nil {
			return err
		}
		folded := strings.ToLower(p)
		if other, ok := files[folded]; ok {
			return fmt.Errorf("%.80q and %.80q are the same name", other, p)
		}
		files[folded] = p
		for i, r := range p {
			if r == '/' {
				if err := addDir(dirs, p[:i]); err != nil {
					return err
				}
			}
		}
	}
	for folded, dir := range dirs {
		if file, ok := files[folded]; ok {
			return fmt.Errorf("%.80q is a file and %.80q is a directory of another file", file, dir)
		}
	}
	return nil
}

func addDir(dirs map[string]string, dir string) error {
	folded := strings.ToLower(dir)
	if other, ok := dirs[folded]; ok && other != dir {
		return fmt.Errorf("%.80q and %.80q differ by case only", other, dir)
	}
	dirs[folded] = dir
	return nil
}
