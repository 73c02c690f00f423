package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"majordomo/configs/humanize"
)

const maxSecret = 1 << 20

// secrets reads what --secret names. A value on the command line is refused: it would be in the process list and in the
// shell's history.
func (a *app) secrets(ctx context.Context, given []string) (map[string]string, error) {
	values, stdin := map[string]string{}, false
	for _, pair := range given {
		key, from, found := strings.Cut(pair, "=")
		file, isFile := strings.CutPrefix(from, "@")
		_, twice := values[key]
		switch {
		case !found:
			return nil, usage("cannot take --secret: write it as K=@FILE or K=- for standard input") // it may be the secret
		case key == "" || (from != "-" && !isFile):
			// What was written may be the secret, so it is not repeated.
			return nil, usage("cannot take --secret %s: a secret may not be on the command line; write %s=@FILE or %s=- for standard input",
				key, key, key)
		case twice:
			return nil, usage("cannot take --secret %s twice", key)
		case from == "-" && stdin:
			return nil, usage("cannot read --secret %s: standard input was given to another secret already", key)
		}
		var err error
		if isFile {
			if values[key], err = secretFile(file); err != nil {
				return nil, usage("cannot read --secret %s from %s: %w", key, file, humanize.Error(err))
			}
		} else {
			stdin = true
			values[key], err = a.secretStdin(ctx, key)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, usage("cannot read --secret %s: %w", key, err)
		}
	}
	return values, nil
}

func secretFile(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return readSecret(f)
}

func (a *app) secretStdin(ctx context.Context, key string) (string, error) {
	if f, ok := a.in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprintf(a.err, "%s: ", key)
		defer fmt.Fprintln(a.err)
		return typeHidden(ctx, int(f.Fd()))
	}
	return readSecret(a.in)
}

// typeHidden reads a line that the terminal does not show. Ctrl-C gives the terminal back as it was; what reads on then
// ends with the program.
func typeHidden(ctx context.Context, terminal int) (string, error) {
	before, err := term.GetState(terminal)
	if err != nil {
		return "", err
	}
	type line struct {
		text []byte
		err  error
	}
	typed := make(chan line, 1)
	go func() {
		text, err := term.ReadPassword(terminal)
		typed <- line{text, err}
	}()
	select {
	case l := <-typed:
		return string(l.text), l.err
	case <-ctx.Done():
		return "", errors.Join(ctx.Err(), term.Restore(terminal, before))
	}
}

// readSecret keeps bytes as they are, but for the line end that editors and echo put after a one-line secret: keys in
// several lines need theirs.
func readSecret(r io.Reader) (string, error) {
	data, err := readAtMost(r, maxSecret)
	if err != nil {
		return "", err
	}
	text := string(data)
	if strings.Count(text, "\n") == 1 {
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	}
	return text, nil
}

// readAtMost reads all of r, and refuses what is larger instead of cutting it.
func readAtMost(r io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("it is larger than %s", humanize.Bytes(limit))
	}
	return data, err
}
