package author

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/jedisct1/go-minisign"

	"majordomo/configs/humanize"
)

// Signature is what stands beside an index.
type Signature struct {
	Text      []byte // of connectors.json.minisig
	PublicKey string // of the key, as it belongs into [feed] public_key
}

// Key is the minisign secret key that an index is signed with.
type Key struct {
	File     string
	Password func() (string, error) // asked once, for a key that has one; nil when there is nobody to ask
}

// Most that deriving a key from a password may take: what minisign itself uses, in
// bytes and in its own count. A damaged file could ask for more than there is.
const (
	maxKDFMemory = 1 << 30
	maxKDFWork   = 1 << 25
)

// Sign signs an index. The same index and key give the same bytes: the trusted
// comment holds no time. Errors never quote the key or its password.
func Sign(index []byte, k Key) (Signature, error) {
	text, err := os.ReadFile(k.File)
	if err != nil {
		return Signature{}, fmt.Errorf("cannot sign %s with %s: %w", indexName, k.File, humanize.Error(err))
	}
	key, err := minisign.DecodePrivateKey(string(text))
	defer key.Wipe()
	if err == nil {
		err = k.unlock(&key)
	} else {
		err = errors.New("it is not a minisign secret key")
	}
	if err != nil {
		return Signature{}, fmt.Errorf("cannot sign %s with %s: %w", indexName, k.File, err)
	}
	signature, err := key.Sign(index, minisign.SignOptions{TrustedComment: "file:" + indexName + "\thashed", Hashed: true})
	if err != nil {
		return Signature{}, fmt.Errorf("cannot sign %s with %s: %w", indexName, k.File, err)
	}
	public := key.PublicKey()
	line := slices.Concat(public.SignatureAlgorithm[:], public.KeyId[:], public.PublicKey[:])
	return Signature{Text: signature.Encode(), PublicKey: base64.StdEncoding.EncodeToString(line)}, nil
}

// unlock makes a key ready to sign. Its second half is the public key of the first:
// one that does not fit would sign what nobody can verify.
func (k Key) unlock(key *minisign.PrivateKey) error {
	if key.IsEncrypted() {
		if err := k.decrypt(key); err != nil {
			return err
		}
	}
	fits := ed25519.NewKeyFromSeed(key.SecretKey[:ed25519.SeedSize])
	if !slices.Equal(fits, key.SecretKey[:]) {
		return errors.New("the key in it is damaged")
	}
	return nil
}

func (k Key) decrypt(key *minisign.PrivateKey) error {
	if key.KDFMemLimit > maxKDFMemory || key.KDFOpsLimit > maxKDFWork {
		return errors.New("the key in it is damaged: its password would take more memory than minisign ever asks for")
	}
	if k.Password == nil {
		return ErrPassword
	}
	password, err := k.Password()
	if err != nil {
		return fmt.Errorf("cannot read its password: %w", err)
	}
	if key.Decrypt(password) != nil {
		return errors.New("the password is wrong")
	}
	return nil
}

// ErrPassword is why a key that is protected by a password cannot sign when there is
// nobody to ask for it.
var ErrPassword = errors.New("it is protected by a password")
