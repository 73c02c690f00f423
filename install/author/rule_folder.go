package author

import (
	"path"
	"regexp"
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
	var seen []string
	for _, f := range s.files {
		top, _, below := strings.Cut(f.Path, "/")
		if below && !slices.Contains(seen, top) && s.vendored(top) == "" {
			seen = append(seen, top)
			n.warn(place{top, ""}, "move its files to the top of the folder", "it is a sub-folder, which other compilers leave out")
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
	var seen []string
	for _, f := range s.files {
		top, _, _ := strings.Cut(f.Path, "/")
		why := s.vendored(top)
		if why == "" && slices.Contains([]string{".whl", ".egg", ".tgz", ".gz", ".zip"}, path.Ext(f.Path)) {
			top, why = f.Path, "it looks like a package that is shipped along"
		}
		if why != "" && !slices.Contains(seen, top) {
			seen = append(seen, top)
			n.warn(place{top, ""}, "take it out, and declare it in package.json or requirements.txt", "%s", why)
		}
	}
}

// vendored says why what lies at the top of the folder is somebody else's package.
func (s subject) vendored(top string) string {
	switch {
	case s.ships(top + "/pyvenv.cfg"):
		return "it is a virtual environment"
	case slices.Contains([]string{".dist-info", ".egg-info"}, path.Ext(top)), top == "site-packages":
		return "it is an installed package"
	}
	return ""
}

// quoted finds what a program may open by name.
var quoted = regexp.MustCompile("[\"'`/]([A-Za-z0-9._-]+)[\"'`]")

// checkHostAssets: pictures and the manifest stay on the host; a server that reads
// them finds nothing (guide §5).
func checkHostAssets(s subject, n notes) {
	icons := []string{path.Base(s.fragment.str("icon_small")), path.Base(s.fragment.str("icon_large")), s.manifest.str("icon_small"), s.manifest.str("icon_large")}
	var host []string
	for _, f := range s.files {
		if f.HostOnly() {
			host = append(host, f.Path)
		}
		if f.HostOnly() && f.Path != manifest.Name && !slices.Contains(icons, f.Path) {
			n.warn(place{f.Path, ""}, "take it out, or put what the server needs of it into its code", "it is no icon, and the server never sees a picture")
		}
	}
	if s.release.Source != manifest.SourceLocal {
		return
	}
	for name, code := range s.code() {
		for _, m := range quoted.FindAllStringSubmatch(code, -1) {
			if slices.Contains(host, m[1]) {
				n.warn(place{name, ""}, "do not read it at run time", "it names %s, which stays on the host", m[1])
				break
			}
		}
	}
}
