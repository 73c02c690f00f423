package feed_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jedisct1/go-minisign"
	"golang.org/x/crypto/blake2b"

	"majordomo/configs/digest"
	"majordomo/configs/manifest"
	"majordomo/install/feed"
	"majordomo/install/fetch"
)

// signer is a publisher's key, as minisign makes it.
type signer struct {
	id     [8]byte
	secret ed25519.PrivateKey
}

func newSigner(name string) signer {
	seed := digest.Of([]byte(name))
	return signer{id: [8]byte(seed[:8]), secret: ed25519.NewKeyFromSeed(seed[:])}
}

func (s signer) public() *minisign.PublicKey {
	return &minisign.PublicKey{
		SignatureAlgorithm: [2]byte{'E', 'd'}, KeyId: s.id, PublicKey: [32]byte(s.secret.Public().(ed25519.PublicKey)),
	}
}

// sign makes the text of a minisig: hashed first, as minisign does now, or not,
// as it did once.
func (s signer) sign(text string, prehashed bool) string {
	algorithm, message := "Ed", []byte(text)
	if prehashed {
		sum := blake2b.Sum512(message)
		algorithm, message = "ED", sum[:]
	}
	signature := ed25519.Sign(s.secret, message)
	comment := "timestamp:1 file:connectors.json"
	global := ed25519.Sign(s.secret, slices.Concat(signature, []byte(comment)))
	line := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("untrusted comment: by a test\n%s\ntrusted comment: %s\n%s\n",
		line(slices.Concat([]byte(algorithm), s.id[:], signature)), comment, line(global))
}

// memory is what the database remembers.
type memory map[string]int64

func (m memory) Advance(_ context.Context, key string, sequence int64) (int64, error) {
	m[key] = max(m[key], sequence)
	return m[key], nil
}

// signedSite is a feed that a test changes between two requests.
type signedSite struct {
	mu    sync.Mutex
	files map[string]string
	asked map[string]int
	after func(path string) // called after a file was served; may publish
}

func newSignedSite(t *testing.T, key *minisign.PublicKey, memory feed.Sequences) (*signedSite, *feed.Feed) {
	t.Helper()
	s := &signedSite{files: map[string]string{}, asked: map[string]int{}, after: func(string) {}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	f, err := feed.New(feed.Options{Base: server.URL, Key: key, Sequences: memory})
	if err != nil {
		t.Fatal(err)
	}
	return s, f
}

func (s *signedSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[r.URL.Path]++
	if text, ok := s.files[r.URL.Path]; ok {
		fmt.Fprint(w, text)
	} else {
		http.NotFound(w, r)
	}
	s.after(r.URL.Path)
}

func (s *signedSite) publish(index, signature string) {
	s.files["/connectors.json"], s.files["/connectors.json.minisig"] = index, signature
}

func aged(more string) string { return `{` + more + `,"connectors":[]}` }

// Every way in which a signature can be wrong is one refusal, and the same for
// those who browse and those who install.
func TestSignature(t *testing.T) {
	us, them := newSigner("us"), newSigner("them")
	text := aged(`"sequence":1`)
	good := us.sign(text, true)
	swapped := them
	swapped.id = us.id // another key that claims to be ours
	for _, tt := range []struct {
		name, index, signature, want string // want "" = accepted
	}{
		{"as minisign signs", text, good, ""},
		{"as minisign signed once", text, us.sign(text, false), ""},
		{"with the line ends of Windows", text, strings.ReplaceAll(good, "\n", "\r\n"), ""},
		{"of other bytes", text + " ", good, "is not a signature of these bytes"},
		{"by somebody else", text, them.sign(text, true), "was made with the key "},
		{"by somebody who takes our name", text, swapped.sign(text, true), "is not a signature of these bytes"},
		{"of another algorithm", text, strings.Replace(good, "RUR", "RVh", 1), "is not a signature of these bytes"},
		{"another trusted comment", text, strings.Replace(good, "timestamp:1", "timestamp:2", 1), "is not a signature of these bytes"},
		{"a web page", text, "<html>", "is not a minisign signature"},
		{"nothing", text, "", "is not a minisign signature"},
	} {
		site, f := newSignedSite(t, us.public(), memory{})
		site.publish(tt.index, tt.signature)
		_, err := f.List(t.Context())
		_, errOffer := f.Offer(t.Context(), "x")
		var wrong *feed.SignatureError
		var unknown *feed.NotOfferedError
		if tt.want == "" {
			if err != nil || !errors.As(errOffer, &unknown) {
				t.Errorf("%s: %v, %v", tt.name, err, errOffer)
			}
			continue
		}
		for _, err := range []error{err, errOffer} {
			if !errors.As(err, &wrong) || !wrong.Refused() || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
			}
		}
	}
}

func TestSignatureMissing(t *testing.T) {
	site, f := newSignedSite(t, newSigner("us").public(), memory{})
	site.publish(aged(`"sequence":1`), "")
	delete(site.files, "/connectors.json.minisig")
	var wrong *feed.SignatureError
	if _, err := f.List(t.Context()); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "there is no connectors.json.minisig") {
		t.Error(err)
	}
	// That nobody answers says nothing about signatures.
	delete(site.files, "/connectors.json")
	var down *fetch.UnreachableError
	if _, err := f.List(t.Context()); !errors.As(err, &down) {
		t.Error(err)
	}
}

// A publisher who replaces both files between our two requests is no attacker.
func TestPublishedInBetween(t *testing.T) {
	us := newSigner("us")
	site, f := newSignedSite(t, us.public(), memory{})
	older, newer := aged(`"sequence":1`), aged(`"sequence":2`)
	site.publish(older, us.sign(older, true))
	site.after = func(path string) {
		if path == "/connectors.json" {
			site.publish(newer, us.sign(newer, true))
		}
	}
	if _, err := f.List(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestSequence(t *testing.T) {
	us, remembered := newSigner("us"), memory{}
	for _, step := range []struct {
		index string
		want  string
	}{
		{`"x":1`, ""}, // a feed may begin without
		{`"sequence":5`, ""},
		{`"sequence":5`, ""}, // the same index again
		{`"sequence":4`, "its sequence 4 is older than 5"},
		{`"x":1`, "its sequence 0 is older than 5"}, // as if it had never had one
		{`"sequence":6,"expires":"2001-01-01T00:00:00Z"`, "expired"},
		{`"sequence":5`, ""}, // what was refused is not remembered
		{`"sequence":"many"`, "index: sequence"},
		{`"sequence":7`, ""},
	} {
		site, f := newSignedSite(t, us.public(), remembered) // a restart
		text := aged(step.index)
		site.publish(text, us.sign(text, true))
		_, err := f.List(t.Context())
		if step.want == "" && err != nil || step.want != "" && (err == nil || !strings.Contains(err.Error(), step.want)) {
			t.Errorf("%s: %v, want %q", step.index, err, step.want)
		}
		var older *feed.OlderError
		if errors.As(err, &older) != strings.Contains(step.want, "older") {
			t.Errorf("%s: %T", step.index, err)
		}
		var refused interface{ Refused() bool }
		if step.want != "" && (!errors.As(err, &refused) || !refused.Refused()) {
			t.Errorf("%s: %T is no refusal", step.index, err)
		}
	}
}

func TestExpires(t *testing.T) {
	us := newSigner("us")
	at := func(d time.Duration) string {
		return aged(`"expires":"` + time.Now().Add(d).Format(time.RFC3339) + `"`)
	}
	for text, want := range map[string]bool{at(time.Hour): false, at(-time.Hour): true} {
		site, f := newSignedSite(t, us.public(), memory{})
		site.publish(text, us.sign(text, true))
		_, err := f.List(t.Context())
		var expired *feed.ExpiredError
		if errors.As(err, &expired) != want || (err != nil) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Without a key nothing of all this is asked for, and the listing says so.
func TestUnsigned(t *testing.T) {
	site, f := newSignedSite(t, nil, nil)
	site.publish(aged(`"sequence":1,"expires":"2001-01-01T00:00:00Z"`), "nonsense")
	l, err := f.List(t.Context())
	if err != nil || l.Signed || f.Signed() {
		t.Fatalf("%+v, %v", l, err)
	}
	if len(l.Problems) != 1 || l.Problems[0].Severity != manifest.Warning || l.Problems[0].Where != "index: expires" {
		t.Errorf("%v", l.Problems)
	}
	if site.asked["/connectors.json.minisig"] != 0 {
		t.Error("a signature was asked for")
	}
}

// The signature covers the index and what the index lists, and nothing else.
func TestManifestOutsideTheSignature(t *testing.T) {
	us := newSigner("us")
	listed := fmt.Sprintf(`{"id":"listed","version":1,"files":[{"path":"run.sh","sha256":%q},{"path":"connector.json","sha256":%q}]}`,
		digest.Of([]byte("hi")), digest.Of([]byte(goodManifest)))
	text := index(listed, entry("unlisted", ""))
	site, f := newSignedSite(t, us.public(), memory{})
	site.publish(text, us.sign(text, true))
	site.files["/listed/connector.json"], site.files["/unlisted/connector.json"] = goodManifest, goodManifest
	l, err := f.List(t.Context())
	if err != nil || !l.Signed || len(l.Releases) != 2 {
		t.Fatalf("%+v, %v", l, err)
	}
	if err := l.Releases[0].Installable(); err != nil {
		t.Error(err)
	}
	offer, err := f.Offer(t.Context(), "unlisted")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []manifest.Release{l.Releases[1], offer.Release} {
		if err := r.Installable(); err == nil || !strings.Contains(err.Error(), "the signed index does not list") || r.Command != "" {
			t.Errorf("%v: %q", err, r.Command)
		}
	}
}

func TestKeyWithoutMemory(t *testing.T) {
	if _, err := feed.New(feed.Options{Base: t.TempDir(), Key: newSigner("us").public()}); err == nil {
		t.Error("a key without a memory was accepted")
	}
}

// The key id in a message is the one that minisign shows.
func TestKeyID(t *testing.T) {
	us, them := newSigner("us"), newSigner("them")
	them.id = [8]byte{1, 2, 3, 4, 5, 6, 7, 8}
	site, f := newSignedSite(t, us.public(), memory{})
	text := aged(`"sequence":1`)
	site.publish(text, them.sign(text, true))
	if _, err := f.List(t.Context()); err == nil || !strings.Contains(err.Error(), "0807060504030201") {
		t.Error(err)
	}
}

// Nobody can make us believe in a signature, or fall over one.
func FuzzSignature(f *testing.F) {
	us := newSigner("us")
	text := aged(`"sequence":1`)
	f.Add([]byte(us.sign(text, true)))
	f.Add([]byte(us.sign(text, false)))
	f.Add(bytes.Repeat([]byte("\n"), 10))
	f.Fuzz(func(t *testing.T, signature []byte) {
		files := map[string]string{"/connectors.json": text + " ", "/connectors.json.minisig": string(signature)}
		site, err := feed.New(feed.Options{Base: mirror(t, files), Key: us.public(), Sequences: memory{}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := site.List(t.Context()); err == nil {
			t.Error("accepted")
		}
	})
}
