package author_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jedisct1/go-minisign"
	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/scrypt"

	"majordomo/configs/manifest"
	"majordomo/install/author"
)

// keyFile writes a secret key as `minisign -G -W` does; kdf is what it is encrypted with.
func keyFile(t *testing.T, kdf string, change func(secret []byte)) string {
	t.Helper()
	secret := []byte(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize)))
	if change != nil {
		change(secret)
	}
	raw := slices.Concat([]byte("Ed"+kdf+"B2"), make([]byte, 48), []byte("KEYIDKEY"), secret, make([]byte, 32))
	path := filepath.Join(t.TempDir(), "minisign.key")
	text := "untrusted comment: minisign secret key\n" + base64.StdEncoding.EncodeToString(raw) + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const noKDF = "\x00\x00"

// What is signed here verifies there, and nothing else does.
func TestSign(t *testing.T) {
	index := []byte(`{"connectors":[]}`)
	signed, err := author.Sign(index, author.Key{File: keyFile(t, noKDF, nil)})
	if err != nil {
		t.Fatal(err)
	}
	again, err := author.Sign(index, author.Key{File: keyFile(t, noKDF, nil)})
	if err != nil || !bytes.Equal(signed.Text, again.Text) {
		t.Errorf("two runs differ: %v", err)
	}
	key, err := minisign.NewPublicKey(signed.PublicKey)
	if err != nil || !strings.HasPrefix(signed.PublicKey, "RW") {
		t.Fatal(err, signed.PublicKey)
	}
	signature, err := minisign.DecodeSignature(string(signed.Text))
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := key.Verify(index, signature); err != nil || !ok {
		t.Errorf("does not verify: %v\n%s", err, signed.Text)
	}
	if ok, _ := key.Verify([]byte(`{"connectors": []}`), signature); ok {
		t.Error("verifies anything")
	}
	if signature.TrustedComment != "trusted comment: file:connectors.json\thashed" {
		t.Errorf("%q", signature.TrustedComment)
	}
}

// lockedKey is a key file as `minisign -G` writes it, with a cheaper derivation than minisign's.
func lockedKey(t *testing.T, password string) string {
	t.Helper()
	const opslimit, memlimit = 32768, 16 << 20
	salt, id := bytes.Repeat([]byte{3}, 32), []byte("KEYIDKEY")
	secret := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	sum := blake2b.Sum256(slices.Concat([]byte("Ed"), id, secret))
	stream, err := scrypt.Key([]byte(password), salt, 1024, 8, 1, 104)
	if err != nil {
		t.Fatal(err)
	}
	body := slices.Concat(id, secret, sum[:])
	for i := range body {
		body[i] ^= stream[i]
	}
	raw := slices.Concat([]byte("EdScB2"), salt)
	raw = binary.LittleEndian.AppendUint64(raw, opslimit)
	raw = binary.LittleEndian.AppendUint64(raw, memlimit)
	path := filepath.Join(t.TempDir(), "minisign.key")
	text := "untrusted comment: minisign encrypted secret key\n" + base64.StdEncoding.EncodeToString(append(raw, body...)) + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func password(text string) func() (string, error) { return func() (string, error) { return text, nil } }

// A key signs the same with its password as without one.
func TestSignWithPassword(t *testing.T) {
	index := []byte(`{"connectors":[]}`)
	want, err := author.Sign(index, author.Key{File: keyFile(t, noKDF, nil)})
	if err != nil {
		t.Fatal(err)
	}
	got, err := author.Sign(index, author.Key{File: lockedKey(t, "correct horse"), Password: password("correct horse")})
	if err != nil || !bytes.Equal(got.Text, want.Text) || got.PublicKey != want.PublicKey {
		t.Errorf("%v\n%s\n%s", err, got.Text, want.Text)
	}
}

func TestSignRefuses(t *testing.T) {
	broken := func() (string, error) { return "", errors.New("the terminal is gone") }
	greedy := keyFile(t, "Sc", nil)
	for _, tt := range []struct {
		name, want string
		key        author.Key
	}{
		{"no file", "no such file", author.Key{File: "/does/not/exist"}},
		{"no key", "not a minisign secret key", author.Key{File: write(t, map[string]string{"k": "hunter2 hunter2\nhunter2"}) + "/k"}},
		{"nobody to ask", "protected by a password", author.Key{File: lockedKey(t, "x")}},
		{"cannot ask", "the terminal is gone", author.Key{File: lockedKey(t, "x"), Password: broken}},
		{"wrong password", "the password is wrong", author.Key{File: lockedKey(t, "x"), Password: password("hunter2")}},
		{"no password", "the password is wrong", author.Key{File: lockedKey(t, "x"), Password: password("")}},
		{"greedy", "more memory than minisign", author.Key{File: greedyKey(t, greedy), Password: password("x")}},
		{"damaged", "damaged", author.Key{File: keyFile(t, noKDF, func(s []byte) { s[40] ^= 1 })}},
	} {
		_, err := author.Sign(nil, tt.key)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// greedyKey asks for more memory than any machine has.
func greedyKey(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	raw, err := base64.StdEncoding.DecodeString(lines[1])
	if err != nil {
		t.Fatal(err)
	}
	binary.LittleEndian.PutUint64(raw[38:], 1<<60)
	binary.LittleEndian.PutUint64(raw[46:], 1<<60)
	lines[1] = base64.StdEncoding.EncodeToString(raw)
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// The sequence grows when the content does, and only then.
func TestAge(t *testing.T) {
	dir := write(t, source())
	day := time.Date(2999, 1, 31, 0, 0, 0, 0, time.UTC)
	for i, step := range []struct {
		change   string // new content of notes/run.sh
		age      author.Age
		sequence int64
		expires  time.Time
		err      string
	}{
		{"a", author.Age{}, 0, time.Time{}, ""},
		{"a", author.Age{Signed: true}, 1, time.Time{}, ""},
		{"a", author.Age{Signed: true}, 1, time.Time{}, ""},
		{"a", author.Age{}, 1, time.Time{}, ""}, // once counted, always counted
		{"b", author.Age{}, 2, time.Time{}, ""},
		{"b", author.Age{Sequence: 9}, 9, time.Time{}, ""},
		{"b", author.Age{Sequence: 8}, 0, time.Time{}, "cannot use sequence 8: connectors.json has 9"},
		{"b", author.Age{Expires: &day}, 10, day, ""},
		{"b", author.Age{Signed: true}, 10, day, ""},
		{"b", author.Age{Expires: new(time.Time)}, 11, time.Time{}, ""},
		{"b", author.Age{Expires: new(day.AddDate(-1900, 0, 0)), Signed: true}, 0, time.Time{}, "it expired at 1099-01-31T00:00:00Z"},
		{"b", author.Age{Expires: new(day.AddDate(-1900, 0, 0))}, 0, time.Time{}, "it expired at 1099-01-31T00:00:00Z"},
		{"c", author.Age{Sequence: 11}, 11, time.Time{}, ""},
	} {
		err := os.WriteFile(dir+"/notes/run.sh", []byte(step.change), 0o644)
		if err != nil {
			t.Fatal(err)
		}
		text, err := author.CompileAged(dir, step.age)
		if step.err != "" {
			if err == nil || !strings.Contains(err.Error(), step.err) {
				t.Errorf("step %d: %v, want %q", i, err, step.err)
			}
			continue
		}
		if err != nil {
			t.Fatal(i, err)
		}
		idx, err := manifest.ParseIndex(text)
		if err != nil || idx.Sequence != step.sequence || !idx.Expires.Equal(step.expires) || len(idx.Problems) > 0 {
			t.Errorf("step %d: %v %d %v %v", i, err, idx.Sequence, idx.Expires, idx.Problems)
		}
		if err := os.WriteFile(dir+"/connectors.json", text, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := author.Verify(dir); err != nil {
			t.Errorf("step %d: %v", i, err)
		}
	}
}

// A sequence that cannot be read is not forgotten: clients would refuse what starts again at one.
func TestAgeIsNotForgotten(t *testing.T) {
	files := source()
	files["connectors.json"] = `{"sequence": 7, <<<<<<<`
	dir := write(t, files)
	if _, err := author.Compile(dir); err == nil || !strings.Contains(err.Error(), "--sequence") {
		t.Error(err)
	}
	if _, err := author.CompileAged(dir, author.Age{Sequence: 8}); err != nil {
		t.Error(err)
	}
	files["connectors.json"] = `<<<<<<<`
	if _, err := author.Compile(write(t, files)); err != nil {
		t.Error(err)
	}
}
