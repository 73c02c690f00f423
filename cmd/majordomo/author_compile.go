package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"majordomo/configs"
	"majordomo/install/author"
)

// compileRequest is one command line of author compile.
type compileRequest struct {
	dir                   string
	verify                bool
	publicKey             string // with verify
	keyFile, passwordFile string
	sequence              int64
	expires               string
}

// compileResult is what --json prints.
type compileResult struct {
	File      string `json:"file"`
	Signature string `json:"signature,omitempty"`
	PublicKey string `json:"public_key,omitempty"`
}

func (a *app) authorCompileVerb() *cobra.Command {
	r := compileRequest{}
	verb := &cobra.Command{
		Use:   "compile FEEDDIR",
		Short: "Write connectors.json from what is kept by hand",
		Long: `Reads index.json, each folder's fragment.json and the files beside it, and writes connectors.json with the digest and
size of every file. The same input gives the same bytes. It is an error when fragment.json and connector.json contradict each
other. With --verify nothing is written, and a connectors.json that is stale is an error that says what differs; with
--public-key as well, so is a signature beside it that is missing, wrong or by another key, and an index that has expired.

--sign also writes connectors.json.minisig, with a minisign secret key. The key's password, if it has one, is asked on the
terminal, or read from --password-file, which is - for standard input. A signed index has a sequence, by which an old one is refused that somebody hands out again: it grows by one whenever anything in the index
changed, from then on with or without --sign. --expires ends the time in which the index is believed; it stays as it was when
not given.

--json: {"file","signature"?,"public_key"?}.`,
		Example: `  majordomo author compile ./feed
  majordomo author compile --verify ./feed
  majordomo author compile ./feed --sign ~/.minisign/minisign.key --expires 2027-06-30`,
		Args: oneArgument,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.dir = args[0]
			if err := r.check(cmd.Flags().Changed("sequence")); err != nil {
				return err
			}
			if r.verify {
				return a.verifyIndex(r.dir, r.publicKey)
			}
			return a.compile(cmd.Context(), r)
		},
	}
	verb.Flags().BoolVar(&r.verify, "verify", false, "only check that connectors.json is up to date")
	verb.Flags().StringVar(&r.publicKey, "public-key", "", "with --verify: the minisign public `KEY` that must have signed the index")
	verb.Flags().StringVar(&r.keyFile, "sign", "", "sign with the minisign secret key in this `FILE`")
	verb.Flags().StringVar(&r.passwordFile, "password-file", "", "the password of the key is in this `FILE`, or - for standard input")
	verb.Flags().Int64Var(&r.sequence, "sequence", 0, "this sequence `NUMBER` instead of the next one")
	verb.Flags().StringVar(&r.expires, "expires", "", "`TIME` until which the index is good: 2027-06-30, 2027-06-30T12:00:00Z, or never")
	return verb
}

// check refuses flags that do not go together.
func (r compileRequest) check(numbered bool) error {
	switch {
	case r.verify && (r.keyFile != "" || r.expires != "" || numbered):
		return usage("cannot use --verify with --sign, --expires or --sequence: it writes nothing")
	case r.passwordFile != "" && r.keyFile == "":
		return usage("cannot use --password-file without --sign: it is the password of that key")
	case numbered && r.sequence < 1:
		return usage("cannot use --sequence %d: want a number from 1 on", r.sequence)
	case r.publicKey != "" && !r.verify:
		return usage("cannot use --public-key without --verify: who signs has the secret key")
	}
	return nil
}

func (a *app) verifyIndex(dir, publicKey string) error {
	key, err := configs.Feed{PublicKey: publicKey}.Key()
	switch {
	case err != nil:
		err = usage("cannot use --public-key: %w", err)
	case key != nil:
		err = author.VerifySigned(dir, key)
	default:
		err = author.Verify(dir)
	}
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "connectors.json")
	return a.print(compileResult{File: file}, func() { a.say("%s is up to date", file) })
}

func (a *app) compile(ctx context.Context, r compileRequest) error {
	age := author.Age{Sequence: r.sequence, Signed: r.keyFile != ""}
	var err error
	if age.Expires, err = parseExpires(r.expires); err != nil {
		return err
	}
	index, err := author.CompileAged(r.dir, age)
	if err != nil {
		return err
	}
	done := compileResult{File: filepath.Join(r.dir, "connectors.json")}
	signature := done.File + ".minisig"
	if r.keyFile == "" {
		err = a.writeUnsigned(done.File, signature, index)
	} else {
		err = done.writeSigned(signature, index, a.key(ctx, r))
	}
	if err != nil {
		return err
	}
	return a.print(done, func() {
		a.say("wrote %s", done.File)
		if done.Signature != "" {
			a.say("wrote %s, for the public key %s", done.Signature, done.PublicKey)
		}
	})
}

// writeUnsigned warns when it leaves a signature behind that no longer fits.
func (a *app) writeUnsigned(file, signature string, index []byte) error {
	before, _ := os.ReadFile(file) // without one everything is new
	if err := write(file, index); err != nil {
		return err
	}
	if _, err := os.Stat(signature); err == nil && string(before) != string(index) {
		fmt.Fprintf(a.err, "majordomo: warning: %s signs the index as it was before: compile again with --sign\n", signature)
	}
	return nil
}

// parseExpires returns nil for nothing said and the zero time for never.
func parseExpires(text string) (*time.Time, error) {
	switch text {
	case "":
		return nil, nil
	case "never":
		return &time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(layout, text); err == nil {
			return &at, nil
		}
	}
	return nil, usage("cannot use --expires %q: want 2027-06-30, 2027-06-30T12:00:00Z or never", text)
}
