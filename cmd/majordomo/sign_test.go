package main_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"slices"

	"github.com/jedisct1/go-minisign"
	"github.com/rogpeppe/go-internal/testscript"
)

// publisher is the key of the publishers in scripts: a seed is as good as a secret here.
func publisher() minisign.PrivateKey {
	key := minisign.PrivateKey{SignatureAlgorithm: [2]byte{'E', 'd'}, KeyId: [8]byte{1, 2, 3, 4, 5, 6, 7, 8}}
	copy(key.SecretKey[:], ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)))
	return key
}

// publicKey is the line that belongs into feed.public_key.
func publicKey() string {
	secret := publisher()
	key := secret.PublicKey()
	return base64.StdEncoding.EncodeToString(slices.Concat(key.SignatureAlgorithm[:], key.KeyId[:], key.PublicKey[:]))
}

// secretKey is the file that `author compile --sign` reads, as `minisign -G -W` writes it.
func secretKey() []byte {
	key := publisher()
	line := slices.Concat([]byte("Ed\x00\x00B2"), make([]byte, 48), key.KeyId[:], key.SecretKey[:], make([]byte, 32))
	return []byte("untrusted comment: minisign secret key\n" + base64.StdEncoding.EncodeToString(line) + "\n")
}

// sign writes FILE.minisig, as the publisher would: `sign FILE`.
func sign(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: sign FILE")
	}
	secret, file := publisher(), ts.MkAbs(args[0])
	signature, err := secret.SignFile(file, minisign.SignOptions{Hashed: true})
	ts.Check(err)
	ts.Check(write(file+".minisig", signature.Encode()))
}
