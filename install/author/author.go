// Package author is for people who write connectors. It compiles a feed's index from
// what they keep by hand, signs it, and checks that it is up to date (Compile, Sign,
// Verify); it lints a folder against the guide (Lint), and reads one as it would be
// shipped (Read, Release).
//
// It must never change a source document, run anything of a connector, or write:
// callers decide where the compiled index goes. It starts no goroutines.
package author

// The documents at the root of a feed (guide §1).
const (
	orderName = "index.json"      // by hand: the ids in display order
	indexName = "connectors.json" // what Compile makes
)
