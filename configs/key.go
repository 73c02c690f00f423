package configs

import (
	"errors"
	"strings"

	"github.com/jedisct1/go-minisign"
)

// Key is the key that signs the feed's index, nil when there is none and the feed counts as unsigned. It is given as the
// line that `minisign` prints, or as the whole of minisign.pub.
func (f Feed) Key() (*minisign.PublicKey, error) {
	text := strings.TrimSpace(f.PublicKey)
	if text == "" {
		return nil, nil
	}
	line := strings.TrimSpace(text[strings.LastIndex(text, "\n")+1:])
	key, err := minisign.NewPublicKey(line)
	// The text is not repeated: people paste secret keys in the wrong place.
	if err != nil || key.SignatureAlgorithm != [2]byte{'E', 'd'} {
		return nil, errors.New("it is not a minisign public key; give the line of minisign.pub that begins with RW")
	}
	return &key, nil
}
