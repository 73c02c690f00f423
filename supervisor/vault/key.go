package vault

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/crypto/chacha20poly1305"
)

// loadKey reads the key at path, or makes one where there is none.
func loadKey(path string) ([]byte, error) {
	key, err := readKey(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = makeKey(path)
		if err == nil || errors.Is(err, fs.ErrExist) {
			key, err = readKey(path)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("cannot use vault key %s: %w", path, err)
	}
	return key, nil
}

func readKey(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if fi.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("others may read it (mode %o): chmod 600 it, and give secrets anew if somebody did", fi.Mode().Perm())
	}
	key, err := io.ReadAll(io.LimitReader(f, chacha20poly1305.KeySize+1))
	if err != nil {
		return nil, err
	}
	if len(key) != chacha20poly1305.KeySize {
		return nil, fmt.Errorf("it holds %d bytes and not %d: restore it from a backup; without it every secret has to be given anew", len(key), chacha20poly1305.KeySize)
	}
	return key, nil
}

// makeKey writes a fresh key beside path and links it into place: path is whole
// or absent, and a key that is there is never replaced.
func makeKey(path string) error {
	key := make([]byte, chacha20poly1305.KeySize)
	rand.Read(key) // never fails: it ends the program instead
	temp := path + ".new"
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := writeSynced(temp, key); err != nil {
		return err
	}
	defer os.Remove(temp)
	if err := os.Link(temp, path); err != nil { // the commit point
		return err
	}
	return syncDir(filepath.Dir(path))
}

func writeSynced(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
