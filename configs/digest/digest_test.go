package digest

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

const emptySum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		ok       bool
	}{
		{"plain", emptySum, true},
		{"upper case", strings.ToUpper(emptySum), true},
		{"prefixed", "sha256:" + emptySum, true},
		{"a list saved with CRLF", emptySum + "\r", true},
		{"empty", "", false},
		{"too short", emptySum[1:], false},
		{"too long", emptySum + "00", false},
		{"not hex", "z" + emptySum[1:], false},
		{"the zero value", strings.Repeat("0", 64), false},
		{"another algorithm", "sha512:" + emptySum, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sum, err := Parse(tt.in)
			if (err == nil) != tt.ok {
				t.Fatalf("Parse(%q) = %v, want ok=%v", tt.in, err, tt.ok)
			}
			if tt.ok && sum != Of(nil) {
				t.Errorf("Parse(%q) = %s", tt.in, sum)
			}
		})
	}
}

// Zeros stand where a publisher means to put a digest later: it is no question of how many digits there are.
func TestPlaceholder(t *testing.T) {
	for _, text := range []string{strings.Repeat("0", 64), "sha256:" + strings.Repeat("0", 64)} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), "it is a placeholder") || strings.Contains(err.Error(), "64 hex digits") {
			t.Errorf("%v", err)
		}
	}
}

func TestJSONRoundTrip(t *testing.T) {
	type box struct{ Known, Unknown SHA256 }
	want := box{Known: Of([]byte("x"))}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got box
	if err := json.Unmarshal(text, &got); err != nil || got != want {
		t.Fatalf("round trip of %s = %+v, %v", text, got, err)
	}
	if err := json.Unmarshal([]byte(`{"Known":"nonsense"}`), &got); err == nil {
		t.Error("a broken digest was accepted")
	}
}

func TestMismatchIsARefusal(t *testing.T) {
	err := error(&MismatchError{Path: "server.py", Want: Of(nil), Got: Of([]byte("x"))})
	var refused interface{ Refused() bool }
	if !errors.As(err, &refused) || !refused.Refused() {
		t.Error("a digest mismatch must be a refusal")
	}
	if !strings.Contains(err.Error(), "server.py does not match its digest") {
		t.Error(err)
	}
	if err := (&MismatchError{Path: "a", LineEndings: true}); !strings.Contains(err.Error(), "LF to CRLF") {
		t.Error(err)
	}
}
