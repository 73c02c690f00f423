// Package digest holds the one way this house names bytes: a SHA-256.
//
// It parses, prints and compares digests and says what a mismatch looks like.
// It never reads files or the network and starts no goroutines.
package digest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// SHA256 is the SHA-256 of some bytes. The zero value means "not known".
type SHA256 [sha256.Size]byte

// Of returns the digest of b.
func Of(b []byte) SHA256 { return sha256.Sum256(b) }

// Parse reads 64 hex digits. Publishers write digests in upper case, behind a
// "sha256:" prefix or with a stray line ending; none of that is tampering, so
// all of it is accepted. The zero value means "not known" and is refused.
func Parse(s string) (SHA256, error) {
	text := strings.TrimPrefix(strings.ToLower(strings.TrimSpace(s)), "sha256:")
	var sum SHA256
	if len(text) != hex.EncodedLen(len(sum)) {
		return SHA256{}, fmt.Errorf("cannot read digest %.80q: want 64 hex digits", s)
	}
	if _, err := hex.Decode(sum[:], []byte(text)); err != nil {
		return SHA256{}, fmt.Errorf("cannot read digest %.80q: want 64 hex digits", s)
	}
	if sum.IsZero() {
		return SHA256{}, fmt.Errorf("cannot read digest %.20q…: it is a placeholder, and no file has it", s)
	}
	return sum, nil
}

// String returns 64 lower-case hex digits.
func (s SHA256) String() string { return hex.EncodeToString(s[:]) }

// IsZero reports whether s is the zero value, "not known".
func (s SHA256) IsZero() bool { return s == SHA256{} }

// MarshalText writes 64 lower-case hex digits, or nothing for the zero value.
func (s SHA256) MarshalText() ([]byte, error) {
	if s.IsZero() {
		return nil, nil
	}
	return []byte(s.String()), nil
}

// UnmarshalText reads what MarshalText wrote, and whatever Parse accepts.
func (s *SHA256) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*s = SHA256{}
		return nil
	}
	sum, err := Parse(string(text))
	if err != nil {
		return err
	}
	*s = sum
	return nil
}

// MismatchError says that the bytes of Path are not the promised ones.
type MismatchError struct {
	Path      string
	Want, Got SHA256
	// LineEndings is true when the bytes would match had nobody turned their
	// line endings into CRLF: an honest accident that looks like tampering.
	LineEndings bool
}

func (e *MismatchError) Error() string {
	why := "the bytes are not the ones the publisher listed"
	if e.LineEndings {
		why = "its line endings were changed from LF to CRLF on the way"
	}
	return fmt.Sprintf("%s does not match its digest: %s (want %s…, got %s…)",
		e.Path, why, e.Want.String()[:12], e.Got.String()[:12])
}

// Refused marks the error as a refusal: asking again does not help.
func (e *MismatchError) Refused() bool { return true }
