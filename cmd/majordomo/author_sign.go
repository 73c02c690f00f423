package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/renameio/v2"

	"majordomo/cmd/majordomo/screen"
	"majordomo/configs/humanize"
	"majordomo/install/author"
)

// key asks for its password where there is somebody to ask.
func (a *app) key(ctx context.Context, r compileRequest) author.Key {
	k := author.Key{File: r.keyFile}
	switch {
	case r.passwordFile == "-":
		k.Password = func() (string, error) { return a.secretStdin(ctx, "password of "+r.keyFile) }
	case r.passwordFile != "":
		k.Password = func() (string, error) { return secretFile(r.passwordFile) }
	case screen.IsTerminal(a.in):
		k.Password = func() (string, error) { return a.secretStdin(ctx, "password of "+r.keyFile) }
	}
	return k
}

// writeSigned makes the signature before it writes anything.
func (done *compileResult) writeSigned(signature string, index []byte, key author.Key) error {
	signed, err := author.Sign(index, key)
	if errors.Is(err, author.ErrPassword) {
		err = fmt.Errorf("%w; give it with --password-file FILE, or run this on a terminal", err)
	}
	if err != nil {
		return err
	}
	done.Signature, done.PublicKey = signature, signed.PublicKey
	if err := write(done.File, index); err != nil {
		return err
	}
	return write(signature, signed.Text)
}

// write leaves the old file or the new one.
func write(file string, text []byte) error {
	if err := renameio.WriteFile(file, text, 0o644); err != nil {
		return fmt.Errorf("cannot write %s: %w", file, humanize.Error(err))
	}
	return nil
}
