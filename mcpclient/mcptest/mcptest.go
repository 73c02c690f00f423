// Package mcptest is a scripted connector for tests: a real process that
// behaves, or misbehaves, as its mode says. It exists three times with the same
// modes: in Go (the test binary executed again), in Python and in Node.
//
// It is for tests only and must never be imported by the product.
package mcptest

import "errors"

// Runtime is what a written connector runs on.
type Runtime string

// The runtimes a connector can be written for.
const (
	Python Runtime = "python"
	Node   Runtime = "node"
)

// WriteConnector writes a connector folder <dir>: server.py or index.js, and
// connector.json, whose server runs in mode.
func WriteConnector(dir string, id string, runtime Runtime, mode string) error {
	return errors.New("not implemented")
}
