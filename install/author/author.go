// Package author is for people who write connectors: it compiles a feed's
// index from what they keep by hand.
//
// It must never change a source document, and never write: callers decide where
// the compiled index goes. It starts no goroutines.
package author

// The documents at the root of a feed (guide §1).
const (
	orderName = "index.json"      // by hand: the ids in display order
	indexName = "connectors.json" // what Compile makes
)
