package activations

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// maxName is the longest name an activation may have (docs/architecture.md, Words).
const maxName = 32

// NameOf makes the name of an activation from its connector's id. An id that is
// a legal name stands for itself; one with dots or too long is cut and told
// apart by eight hex digits of its SHA-256, always the same ones.
func NameOf(connector string) string {
	if len(connector) <= maxName && !strings.Contains(connector, ".") {
		return connector
	}
	sum := sha256.Sum256([]byte(connector))
	suffix := "-" + hex.EncodeToString(sum[:4])
	stem := strings.ReplaceAll(connector, ".", "_")
	return stem[:min(len(stem), maxName-len(suffix))] + suffix
}
