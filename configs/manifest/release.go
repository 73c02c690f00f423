package manifest

import (
	"path"
	"slices"
	"strings"
	"time"

	"majordomo/configs/digest"
)

// Values of Release.Source.
const (
	SourceLocal  = "local_script"
	SourceRemote = "remote"
)

// Values of Release.Scope.
const (
	ScopeUser   = "per_user"
	ScopeGlobal = "global"
)

// Values of Release.Transport.
const (
	TransportStdio = "stdio"
	TransportHTTP  = "http"
	TransportSSE   = "sse"
)

// Values of Auth.Kind.
const (
	AuthNone   = "none"
	AuthAPIKey = "api_key"
	AuthOAuth  = "oauth"
	AuthQR     = "qr"
	AuthSSHKey = "ssh_key"
)

// MountFiles is the one thing a connector can ask to have mounted: the
// member's own files, at /root/files.
const MountFiles = "files"

// Release is a connector at one version as the feed offers it: both documents
// merged and normalised (guide §1e). It is plain data and safe to share as
// long as nobody writes to it. Its JSON form is what a receipt stores.
type Release struct {
	ID            string `json:"id"`
	Folder        string `json:"folder"` // folder in the feed; the id unless the entry says otherwise
	Name          string `json:"name"`
	Version       int    `json:"version"`               // the update key
	Unversioned   bool   `json:"unversioned,omitempty"` // none is declared: Version, 0, means nothing
	VersionString string `json:"version_string,omitempty"`
	ReleaseDate   string `json:"version_release_date,omitempty"`

	Source    string `json:"source"`    // local_script | remote
	Scope     string `json:"scope"`     // per_user | global
	Transport string `json:"transport"` // stdio | http | sse

	Command string   `json:"command,omitempty"` // an interpreter's name: node, python3, python, sh
	Args    []string `json:"args,omitempty"`    // Args[0] is the entry file, relative to the package
	URL     string   `json:"url,omitempty"`     // of a remote, placeholders not yet replaced

	Auth   Auth     `json:"auth"`
	Env    []Env    `json:"env,omitempty"`
	Verify *Verify  `json:"verify,omitempty"`
	Mounts []string `json:"mounts,omitempty"` // what is shown to it beside its own directory: only MountFiles
	Egress []string `json:"egress,omitzero"`  // host:port of all it has to reach; nil = not declared, empty = nothing

	Requires          []string          `json:"requires,omitempty"`
	Tags              []string          `json:"tags,omitempty"`
	Titles            map[string]string `json:"titles,omitempty"` // raw tool name → display name
	UserDescription   string            `json:"user_description,omitempty"`
	LLMDescription    string            `json:"llm_description,omitempty"`
	Homepage          string            `json:"homepage,omitempty"`
	Dependencies      []string          `json:"dependencies,omitempty"`       // display only
	SetupInstructions []string          `json:"setup_instructions,omitempty"` // display only
	Icons             Icons             `json:"icons"`

	// Files are the files of the package. connector.json is always among
	// them once a manifest was read, listed by the index or not.
	Files []File `json:"files,omitempty"`
	// ManifestVerified is true when the index lists the digest of
	// connector.json and the manifest used here has that digest.
	ManifestVerified bool `json:"manifest_verified"`

	Problems []Problem `json:"problems,omitempty"`
}

// File is one file of a release. Path is relative to the connector's folder,
// slash separated and, in a release that is Installable, safe to create.
type File struct {
	Path   string        `json:"path"`
	SHA256 digest.SHA256 `json:"sha256"`
	Size   int64         `json:"size"` // as declared, in bytes; 0 when not declared
}

// Env is one field of the activation form; Name is the environment variable.
type Env struct {
	Name        string `json:"name"`
	Label       string `json:"label,omitempty"`
	Description string `json:"description,omitempty"`
	Example     string `json:"example,omitempty"`
	Default     string `json:"default,omitempty"`
	Required    bool   `json:"required,omitempty"`
	Secret      bool   `json:"secret,omitempty"`
}

// Verify is the check to run before an activation is kept (guide §6).
type Verify struct {
	Command string        `json:"command"`           // a shell line, placeholders not yet replaced
	Script  string        `json:"script,omitempty"`  // the shipped file it names; "" for an inline command
	Timeout time.Duration `json:"timeout,omitempty"` // at most VerifyTimeout
}

// VerifyTimeout is the ceiling, and the default, of one verify run.
const VerifyTimeout = 20 * time.Second

// Auth says how a member signs in (guide §4).
type Auth struct {
	Kind     string   `json:"kind"` // none | api_key | oauth | qr | ssh_key
	Provider string   `json:"provider,omitempty"`
	Scopes   []string `json:"scopes,omitempty"`
	Delivery string   `json:"delivery,omitempty"` // header | query | env, shown to the admin only
	Deliver  Deliver  `json:"deliver,omitzero"`
}

// Deliver says how an OAuth credential reaches the connector (guide §4c).
type Deliver struct {
	As     string `json:"as,omitempty"`
	Format string `json:"format,omitempty"`
	Env    string `json:"env,omitempty"`
}

// Icons are paths inside the package; "" when the named file is not shipped.
type Icons struct {
	Small string `json:"small,omitempty"`
	Large string `json:"large,omitempty"`
}

// HostOnly reports whether f stays on the host and is never shown to the
// running connector: the manifest and icons (guide §5).
func (f File) HostOnly() bool {
	return f.Path == Name || slices.Contains(iconTypes, strings.ToLower(path.Ext(f.Path)))
}

var iconTypes = []string{".svg", ".png", ".jpg", ".jpeg", ".webp", ".gif", ".ico"}

// NewerThan says whether r is a step forward from old. A release without a
// version is never newer; it is older than every one that has one.
func (r Release) NewerThan(old Release) bool {
	return !r.Unversioned && (old.Unversioned || r.Version > old.Version)
}

// File returns the file of that path.
func (r Release) File(p string) (File, bool) {
	i := slices.IndexFunc(r.Files, func(f File) bool { return f.Path == p })
	if i < 0 {
		return File{}, false
	}
	return r.Files[i], true
}
