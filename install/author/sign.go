package author

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/jedisct1/go-minisign"
)

// Signature is what stands beside an index.
type Signature struct {
	Text      []byte // of connectors.json.minisig
	PublicKey string // of the key, as it belongs into [feed] public_key
}

// Sign signs an index with the minisign secret key in keyFile, which has no
// password. The same index and key give the same bytes: the trusted comment holds
// no time. Errors never quote the key.
func Sign(index []byte, keyFile string) (Signature, error) {
	text, err := os.ReadFile(keyFile)
	if err != nil {
		return Signature{}, fmt.Errorf("cannot sign %s: %w", indexName, err)
	}
	key, err := minisign.DecodePrivateKey(string(text))
	defer key.Wipe()
	if err == nil {
		err = usable(key)
	} else {
		err = errors.New("it is not a minisign secret key")
	}
	if err != nil {
		return Signature{}, fmt.Errorf("cannot sign %s with %s: %w", indexName, keyFile, err)
	}
	signature, err := key.Sign(index, minisign.SignOptions{TrustedComment: "file:" + indexName + "\thashed", Hashed: true})
	if err != nil {
		return Signature{}, fmt.Errorf("cannot sign %s with %s: %w", indexName, keyFile, err)
	}
	public := key.PublicKey()
	line := slices.Concat(public.SignatureAlgorithm[:], public.KeyId[:], public.PublicKey[:])
	return Signature{Text: signature.Encode(), PublicKey: base64.StdEncoding.EncodeToString(line)}, nil
}

// usable says why a key cannot sign. Its second half is the public key of the
// first: one that does not fit would sign what nobody can verify.
func usable(key minisign.PrivateKey) error {
	if key.IsEncrypted() {
		return errors.New("it is protected by a password; make a key without one: minisign -G -W")
	}
	fits := ed25519.NewKeyFromSeed(key.SecretKey[:ed25519.SeedSize])
	if !slices.Equal(fits, key.SecretKey[:]) {
		return errors.New("the key in it is damaged")
	}
	return nil
}
