package manifest

import (
	"errors"
	"slices"

	"majordomo/configs/digest"
)

// Release merges the entry with its manifest, given as the bytes of
// connector.json. Bytes that contradict the digest in the index, or do not
// parse, are not used at all: the release is then what Degraded makes of it.
func (e Entry) Release(manifest []byte) Release {
	sum := digest.Of(manifest)
	listed, isListed := Release{Files: e.files}.File(Name)
	if isListed && listed.SHA256 != sum {
		return e.Degraded(&digest.MismatchError{Path: e.Folder + "/" + Name, Want: listed.SHA256, Got: sum})
	}
	m := merge{entry: e, problems: slices.Clip(e.problems)}
	data := withoutBOM(manifest, Name, &m.problems)
	doc, err := parseObject(data, Name+":", &m.problems)
	if err != nil {
		return e.Degraded(errors.New(NotJSON(data, err, "an object")))
	}
	m.doc = doc
	r := m.release()
	r.ManifestVerified = isListed
	if !isListed {
		r.Files = append(r.Files, File{Path: Name, SHA256: sum, Size: int64(len(manifest))})
		doc.report(Warning, "", "the index does not list its digest, so nothing vouches for it")
	}
	r.Problems = append(m.problems, r.check()...)
	return r
}

// Degraded is the release of an entry whose manifest cannot be used: what the
// index says, and an error that keeps it from being installed.
func (e Entry) Degraded(reason error) Release {
	m := merge{entry: e}
	m.doc = object{where: Name + ":", problems: &m.problems}
	r := m.release()
	r.Problems = append(slices.Clip(e.problems), Problem{
		Severity: Error, Where: Name, What: oneLine(reason.Error()),
	})
	return r
}

// merge holds the two documents while their fields are put together: which one
// wins is the table of the guide's §1e.
type merge struct {
	entry    Entry
	doc      object // connector.json
	config   object // its mcp_config
	problems []Problem
}

func (m *merge) release() Release {
	e, docs := m.entry, m.docs()
	m.config, _ = m.doc.strict().sub("mcp_config")
	r := Release{
		ID: e.ID, Folder: e.Folder, Tags: e.tags,
		Name:              firstOf(e.Name, m.doc.str("name"), e.ID),
		Requires:          m.doc.strs("requires"),
		UserDescription:   firstOf(e.userDescription, docs.str("description")),
		LLMDescription:    docs.str("llm_short_description"),
		Homepage:          m.doc.str("homepage"),
		Dependencies:      m.doc.strs("dependencies"),
		SetupInstructions: m.doc.strs("setup_instructions"),
		Titles:            m.titles(),
		Files:             e.files,
	}
	if len(r.Requires) == 0 {
		r.Requires = e.requires
	}
	if len(r.Files) == 0 {
		r.Files = m.ownFiles()
	}
	m.identity()
	m.versions(&r)
	m.placement(&r)
	r.Command, r.Args, r.URL = m.config.str("command"), m.config.strs("args"), m.config.str("url")
	r.Auth = m.auth(r)
	r.Env = m.env()
	r.Verify = m.verify(r.Files)
	r.Mounts, r.Egress = m.mounts(), m.egress()
	r.Icons = Icons{Small: m.icon(r, "icon_small", e.smallIcon), Large: m.icon(r, "icon_large", e.largeIcon)}
	return r
}

// identity refuses a manifest that was written for another connector.
func (m *merge) identity() {
	if id := m.doc.strict().str("id"); id != "" && id != m.entry.ID {
		m.doc.report(Error, "id", "it says %.80q but the index lists it as %.80q", id, m.entry.ID)
	}
}

// versions: the manifest wins, field by field.
func (m *merge) versions(r *Release) {
	own, listed := m.doc.versions(), m.entry.versions
	if own.known && listed.known && own.number != listed.number {
		m.doc.report(Warning, "version", "it is %d but the index says %d; the manifest counts", own.number, listed.number)
	}
	r.Version = own.number
	if !own.known {
		r.Version = listed.number
	}
	r.Unversioned = !own.known && !listed.known
	if r.Unversioned && m.doc.members != nil {
		m.doc.report(Warning, "version", "there is none, so no update will ever be offered")
	}
	r.VersionString = firstOf(own.text, listed.text)
	r.ReleaseDate = firstOf(own.dated, listed.dated)
}

// ownFiles is the legacy fallback for an index without files[]. A manifest
// cannot vouch for itself, so its own line for connector.json is dropped.
func (m *merge) ownFiles() []File {
	var files []File
	for _, f := range m.doc.files() {
		if f.Path != Name {
			files = append(files, f)
		}
	}
	if len(files) > 0 {
		m.doc.report(Warning, "files", "the index lists no files, so the manifest's own list is used and nothing vouches for it")
	}
	return files
}
