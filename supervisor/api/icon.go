package api

import (
	"cmp"
	"io"
	"net/http"
	"os"
	"path"
	"strconv"
	"strings"

	"majordomo/configs/humanize"
	"majordomo/configs/manifest"
)

// iconTypes are the pictures that are handed out, each as what its name says and never as what it contains.
func iconTypes() map[string]string {
	return map[string]string{
		".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg",
		".webp": "image/webp", ".gif": "image/gif", ".ico": "image/x-icon",
	}
}

// icon hands out the picture of an installed connector: a file that a stranger made and a browser shows. The headers keep
// a browser from finding anything in it but a picture, and scripts in an SVG from running.
func (s *Server) icon(w http.ResponseWriter, r *request) error {
	size := cmp.Or(r.query("size"), "sm")
	if size != "sm" && size != "lg" {
		return Errorf(Usage, "cannot show an icon of size %.20q: say sm or lg", size)
	}
	id := r.PathValue("id")
	p, err := s.o.Installer.Package(r.Context(), id)
	if err != nil {
		return err
	}
	icons := p.Release.Icons
	name := cmp.Or(icons.Small, icons.Large)
	if size == "lg" {
		name = cmp.Or(icons.Large, icons.Small)
	}
	kind, known := iconTypes()[strings.ToLower(path.Ext(name))]
	if !known {
		return Errorf(NotFound, "cannot show an icon of %s: it ships none", id)
	}
	return picture(w, p.Dir, name, kind)
}

func picture(w http.ResponseWriter, dir, name, kind string) error {
	f, err := os.OpenInRoot(dir, name)
	if err != nil {
		return Errorf(NotFound, "cannot show %s: it is not there any more", name)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() > manifest.MaxIcon {
		return Errorf(Refused, "cannot show %s: it is %d bytes, more than the limit of %s", name, info.Size(), humanize.Bytes(manifest.MaxIcon))
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	h.Set("Cache-Control", "private, max-age=3600")
	_, _ = io.Copy(w, f) // a caller that has gone is nobody's problem
	return nil
}
