package manifest

import (
	"strings"

	"majordomo/configs/humanize"
)

// docs is docs[0], whatever its language.
func (m *merge) docs() object {
	var first object
	m.doc.each("docs", func(i int, item object) {
		if i == 0 {
			first = item
		}
	})
	return first
}

func (m *merge) titles() map[string]string {
	titles := map[string]string{}
	m.doc.each("tools", func(_ int, item object) {
		name, title := item.str("name"), item.str("display_name")
		if name != "" && title != "" {
			titles[name] = title
		}
	})
	if len(titles) == 0 {
		return nil
	}
	return titles
}

// icon reduces an icon of the index, relative to the feed's root, to a path
// in the package, if the package has it.
func (m *merge) icon(r Release, key, icon string) string {
	p := strings.TrimPrefix(strings.TrimPrefix(icon, "/"), r.Folder+"/")
	f, ok := r.File(p)
	if !ok {
		return ""
	}
	if f.Size > MaxIcon {
		m.doc.report(Warning, key, "it is %d bytes, more than the limit of %s, and is not shown", f.Size, humanize.Bytes(MaxIcon))
		return ""
	}
	return p
}
