package install

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"majordomo/configs"
	"majordomo/configs/digest"
	"majordomo/configs/manifest"
)

const receiptFormat = 1

// receipt is what a package's folder says of itself. It is the last file
// written before the swap, so a folder with a receipt is a whole package.
type receipt struct {
	Format      int              `json:"format"`
	Release     manifest.Release `json:"release"` // Files carry the sizes found, not those declared
	Digest      digest.SHA256    `json:"digest"`  // see FilesDigest
	Feed        string           `json:"feed"`
	InstalledAt time.Time        `json:"installed_at"`
}

func (r receipt) text() ([]byte, error) { return json.MarshalIndent(r, "", "  ") }

func (r receipt) pack(paths configs.Paths) Package {
	return Package{
		Release:     r.Release,
		Dir:         paths.Connector(r.Release.ID),
		InstalledAt: r.InstalledAt,
		Digest:      r.Digest,
	}
}

func parseReceipt(id string, text []byte) (receipt, error) {
	var r receipt
	err := json.Unmarshal(text, &r)
	switch {
	case err != nil:
	case r.Format != receiptFormat:
		err = fmt.Errorf("it has format %d, this version of majordomo knows %d", r.Format, receiptFormat)
	case r.Release.ID != id:
		err = fmt.Errorf("it belongs to %q", r.Release.ID)
	}
	if err != nil {
		return receipt{}, fmt.Errorf("cannot use the receipt of %s: %w", id, err)
	}
	return r, nil
}

// readReceipt reads the receipt in a package's folder.
func readReceipt(dir, id string) (receipt, error) {
	text, err := os.ReadFile(filepath.Join(dir, manifest.Receipt))
	if err != nil {
		return receipt{}, err
	}
	return parseReceipt(id, text)
}

// FilesDigest is over path and digest of every file, in the order of the paths
// and with lengths, so that no two lists of files share one.
func FilesDigest(files []manifest.File) digest.SHA256 {
	sorted := slices.SortedFunc(slices.Values(files), func(a, b manifest.File) int { return cmp.Compare(a.Path, b.Path) })
	hash := sha256.New()
	for _, f := range sorted {
		hash.Write(binary.BigEndian.AppendUint64(nil, uint64(len(f.Path))))
		io.WriteString(hash, f.Path)
		hash.Write(f.SHA256[:])
	}
	return digest.SHA256(hash.Sum(nil))
}
