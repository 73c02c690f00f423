// Package manifest says what a publisher declares: one entry of the feed's
// index plus one connector.json, read tolerantly, merged field by field and
// normalised so that anything unreadable becomes the answer that demands more
// authority, never less.
//
// The documents come from strangers. Nothing here panics on them, opens a file
// or the network, or starts a goroutine; what is wrong with a document is
// collected as Problems, so that one bad entry is one bad card and not an
// empty shop.
//
//	connectors.json ──ParseIndex──→ Entry ──┐
//	                                        ├─Entry.Release──→ Release ──Installable──→ nil or Refusal
//	connector.json ─────────────────────────┘    + Problems
package manifest

// Limits of what a feed may hand out (guide §8), in bytes and counts.
const (
	MaxFile     = 8 << 20 // one file of a package
	MaxIcon     = 1 << 20 // one that is shown as an icon
	MaxPackage  = 256 << 20
	MaxIndex    = 8 << 20 // connectors.json
	MaxManifest = 1 << 20 // one connector.json
	MaxEntries  = 2000    // entries of one index
	MaxFiles    = 4096    // files of one release
	MaxHosts    = 256     // hosts that a connector declares
)

// Name is the file name of the manifest inside a connector's folder.
const Name = "connector.json"
