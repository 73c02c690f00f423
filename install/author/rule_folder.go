package author

import (
	"path"
	"slices"
	"strings"

	"majordomo/configs/manifest"
)

// checkFolderName: the folder, the id and the folder field are one name (guide §0).
func checkFolderName(s subject, n notes) {
	for _, key := range []string{"id", "folder"} {
		said := s.fragment.str(key)
		if said != s.folder && (key == "id" || s.fragment.has(key)) {
			n.fail(inFragment("%s", key), "name the folder exactly like the id", "it is %q in the folder %q", said, s.folder)
		}
	}
	if !s.manifest.has("id") {
		n.fail(inManifest("id"), "name it like the folder", "there is none")
	}
}

// checkFlat: other compilers leave sub-folders out, silently (guide §0).
func checkFlat(s subject, n notes) {
	for _, f := range s.files {
		if strings.Contains(f.Path, "/") {
			n.warn(place{f.Path, ""}, "move it to the top of the folder", "it lies in a sub-folder, which other compilers leave out")
		}
	}
}

// checkIcons: both sizes, shipped, named from the feed's root in one document and
// from the folder in the other (guide §1b).
func checkIcons(s subject, n notes) {
	for _, key := range []string{"icon_small", "icon_large"} {
		listed, own := s.fragment.str(key), s.manifest.str(key)
		s.checkIcon(n, inFragment("%s", key), listed, s.folder+"/")
		s.checkIcon(n, inManifest("%s", key), own, "")
		if listed != "" && own != "" && path.Base(listed) != path.Base(own) {
			n.warn(inFragment("%s", key), "name the same file in both", "it is %q here and %q in %s", listed, own, manifest.Name)
		}
	}
}

func (s subject) checkIcon(n notes, at place, icon, prefix string) {
	fix := "ship the icon in the folder and name it " + prefix + "icon_sm.svg or icon_lg.svg"
	inside, ok := strings.CutPrefix(icon, prefix)
	switch {
	case icon == "":
		n.warn(at, fix, "there is no icon")
	case strings.Contains(icon, "://"):
		n.fail(at, fix, "%q is an address, and icons are never fetched from elsewhere", icon)
	case !ok:
		n.fail(at, fix, "%q is not relative to the feed's root: want it to begin with %q", icon, prefix)
	case !s.ships(inside):
		n.fail(at, fix, "%q is not one of the files", icon)
	}
}

// checkVendored: packages are declared and never shipped (guide §5).
func checkVendored(s subject, n notes) {
	for _, f := range s.files {
		if slices.Contains([]string{".whl", ".egg", ".tgz", ".gz", ".zip"}, path.Ext(f.Path)) {
			n.warn(place{f.Path, ""}, "declare it in package.json or requirements.txt instead", "it looks like a package that is shipped along")
		}
	}
}

// What each document may hold (guide §1b, §1c), and which members only the other
// one is read for (guide §1e).
var (
	fragmentFields = []string{
		"id", "name", "version", "version_string", "version_release_date", "type", "scope", "icon_small", "icon_large",
		"user_description", "requires", "tags", "folder", "auth", "tools",
	}
	manifestFields = []string{
		"id", "name", "version", "version_string", "version_release_date", "type", "scope", "requires", "tags", "auth",
		"launch_command", "transport", "mcp_config", "dependencies", "setup_instructions", "docs", "env", "verify", "tools",
		"homepage", "icon_small", "icon_large",
	}
)

// checkKnownFields finds what nobody reads: often it is misspelt.
func checkKnownFields(s subject, n notes) {
	for _, d := range []struct {
		document
		own, others []string
	}{{s.fragment, fragmentFields, manifestFields}, {s.manifest, manifestFields, fragmentFields}} {
		for _, key := range sortedKeys(d.members) {
			at := place{d.name, key}
			switch {
			case slices.Contains(d.own, key) || strings.HasPrefix(key, "x_"):
			case key == "files":
				n.warn(at, "remove it", "it is the compiler's to write: what stands here is not used")
			case slices.Contains(d.others, key):
				n.warn(at, "move it to the other document", "nobody reads it in this document")
			default:
				n.warn(at, "correct its spelling, or begin the name of an extension with x_", "the guide has no such field")
			}
		}
	}
}
