package author

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/jedisct1/go-minisign"

	"majordomo/configs/manifest"
	"majordomo/install/feed"
)

// VerifySigned is Verify, and holds the index that is there to its signature: it
// must be by key, and the index must not have expired.
func VerifySigned(dir string, key *minisign.PublicKey) error {
	if err := Verify(dir); err != nil {
		return err
	}
	file := filepath.Join(dir, indexName)
	index, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", indexName, err)
	}
	signature, err := os.ReadFile(file + ".minisig")
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot trust %s: there is no %s.minisig beside it; compile with --sign", indexName, indexName)
	}
	if err != nil {
		return fmt.Errorf("cannot read %s.minisig: %w", indexName, err)
	}
	if why := feed.Distrust(key, index, signature); why != "" {
		return fmt.Errorf("cannot trust %s: %s; compile with --sign again", indexName, why)
	}
	parsed, err := manifest.ParseIndex(index)
	if at := parsed.Expires; err == nil && !at.IsZero() && !time.Now().Before(at) {
		return fmt.Errorf("cannot trust %s: it expired at %s; compile with --expires and --sign", indexName, at.Format(time.RFC3339))
	}
	return err
}
