package stderr

import (
	"encoding/base64"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// drain returns the lines that a stream becomes.
func drain(t *testing.T, r io.Reader, o Options) []string {
	t.Helper()
	if o.Lines == 0 {
		o.Lines = 10_000
	}
	l, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	l.Drain(r)
	var texts []string
	for _, line := range l.Tail(0) {
		texts = append(texts, line.Text)
	}
	return texts
}

func TestLines(t *testing.T) {
	tests := map[string]struct {
		in   string
		want []string
	}{
		"lines":               {"one\ntwo\n", []string{"one", "two"}},
		"no newline at end":   {"one\ntwo", []string{"one", "two"}},
		"CRLF":                {"one\r\ntwo\r\n", []string{"one", "two"}},
		"progress":            {"10%\r20%\r30%\n", []string{"10%", "20%", "30%"}},
		"blank lines":         {"\n \n\r\n\none\n\n", []string{"one"}},
		"nothing":             {"", nil},
		"invalid UTF-8":       {"a\xffb\n", []string{"a\uFFFDb"}},
		"colours and titles":  {"\x1b[31;1mred\x1b[0m \x1b]0;title\x07x\n", []string{"red x"}},
		"control characters":  {"a\x00b\x08c\td\u0085e\n", []string{"abc de"}},
		"a cut escape":        {"a\x1b[\n", []string{"a["}},
		"exactly the maximum": {strings.Repeat("x", 64) + "\n", []string{strings.Repeat("x", 64)}},
		"longer":              {strings.Repeat("x", 100) + "\ny", []string{strings.Repeat("x", 64), strings.Repeat("x", 36), "y"}},
		"cut between characters": {
			strings.Repeat("é", 40) + "\n", []string{strings.Repeat("é", 32), strings.Repeat("é", 8)},
		},
		"cut before one": {"x" + strings.Repeat("é", 40) + "\n", []string{"x" + strings.Repeat("é", 31), strings.Repeat("é", 9)}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for how, r := range map[string]io.Reader{
				"whole": strings.NewReader(tt.in), "byte a time": iotest.OneByteReader(strings.NewReader(tt.in)),
			} {
				if diff := cmp.Diff(tt.want, drain(t, r, Options{MaxLine: 64})); diff != "" {
					t.Errorf("%s (-want +got):\n%s", how, diff)
				}
			}
		})
	}
}

// A secret never shows, in any of the forms that programs print, wherever the
// pieces of a long line or of the stream are cut.
func TestRedaction(t *testing.T) {
	secrets := []string{"s3cret/tok+en\"q", "shorter", "shorter-and-longer", "-----BEGIN KEY-----\nMIIEvQIBADAN\n-----END KEY-----", "pässwörd", "abc", "it's(a) key!", ">>>???"}
	tests := map[string]struct{ in, want string }{
		"as it is":               {`token=s3cret/tok+en"q.`, "token=[redacted]."},
		"in JSON":                {`{"t":"s3cret/tok+en\"q"}`, `{"t":"[redacted]"}`},
		"in a query":             {"?t=s3cret%2Ftok%2Ben%22q&x", "?t=[redacted]&x"},
		"the longer of two":      {"shorter-and-longer shorter", "[redacted] [redacted]"},
		"a line of a key":        {"got MIIEvQIBADAN", "got [redacted]"},
		"twice without a gap":    {"shortershorter", "[redacted][redacted]"},
		"with colours inside":    {"sho\x1b[1mrter", "[redacted]"},
		"not ASCII":              {"pässwörd!", "[redacted]!"},
		"lower case in a URL":    {"?t=s3cret%2ftok%2ben%22q&x", "?t=[redacted]&x"},
		"by encodeURIComponent":  {"it's(a)%20key!", "[redacted]"},
		"JSON of Python":         {`"p\u00e4ssw\u00f6rd"`, `"[redacted]"`},
		"JSON of Java":           {`"P\u00E4SS" "p\u00E4ssw\u00F6rd"`, `"P\u00E4SS" "[redacted]"`},
		"JSON of PHP":            {`"s3cret\/tok+en\"q"`, `"[redacted]"`},
		"JSON in JSON":           {`"{\"t\":\"s3cret/tok+en\\\"q\"}"`, `"{\"t\":\"[redacted]\"}"`},
		"in HTML":                {`<b>s3cret/tok+en&#34;q</b>`, "<b>[redacted]</b>"},
		"in other HTML":          {`<b>s3cret/tok+en&quot;q</b>`, "<b>[redacted]</b>"},
		"base64":                 {"basic czNjcmV0L3RvaytlbiJx.", "basic [redacted]."},
		"base64 for URLs":        {"a_key_Pj4-Pz8_", "a_key_[redacted]"},
		"hex":                    {"key=7333637265742f746f6b2b656e2271", "key=[redacted]"},
		"HEX":                    {"key=7333637265742F746F6B2B656E2271", "key=[redacted]"},
		"basic authentication":   {base64.StdEncoding.EncodeToString([]byte("ann:shorter-and-longer")), "YW5uOn[redacted]g=="},
		"too short to be sought": {"abc", "abc"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for pad := range 34 { // moves the secret across the place where a long line is cut
				in := strings.Repeat("x", pad) + tt.in + strings.Repeat("y", 60)
				want := strings.Repeat("x", pad) + tt.want + strings.Repeat("y", 60)
				got := drain(t, iotest.OneByteReader(strings.NewReader(in)), Options{MaxLine: 32, Secrets: secrets})
				if strings.Join(got, "") != want {
					t.Errorf("after %d bytes: %q, want %q", pad, got, want)
				}
			}
		})
	}
}

// A flood without a line end costs no more than one line.
func TestEndlessLine(t *testing.T) {
	got := drain(t, io.LimitReader(zeros{}, 5<<20), Options{Secrets: []string{"0000-never"}})
	if len(got) != 5<<20/(8<<10) {
		t.Errorf("%d pieces", len(got))
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}
