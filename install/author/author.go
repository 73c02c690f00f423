// Package author is for people who write connectors: it compiles a feed's
// index from what they keep by hand.
//
// It must never change a source document, and never write: callers decide where
// the compiled index goes. It starts no goroutines.
package author

import "errors"

// Compile builds connectors.json for the feed in dir from index.json, each
// folder's fragment.json and the files beside it. The same input gives the same
// bytes. Errors name the file.
func Compile(dir string) ([]byte, error) { return nil, errors.New("not written yet") }

// Verify compiles and compares with the connectors.json in dir; the error of a
// stale index says what differs.
func Verify(dir string) error { return errors.New("not written yet") }
