package frame

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// render makes messages comparable: "id 1 result {}", "fault of 1: too long".
func render(m Message) string {
	switch {
	case errors.Is(m.Fault, ErrTooLong):
		return fmt.Sprintf("too long %s", m.ID)
	case errors.Is(m.Fault, ErrSyntax):
		return fmt.Sprintf("syntax %s", m.ID)
	case m.Method != "":
		return fmt.Sprintf("%s id=%s %s", m.Method, m.ID, m.Params)
	case m.Error != nil:
		return fmt.Sprintf("id=%s error %s", m.ID, m.Error)
	}
	return fmt.Sprintf("id=%s %s", m.ID, m.Result)
}

// readAll reads a stream to its end.
func readAll(t *testing.T, r io.Reader, limit int) (got []string, noise []Noise) {
	t.Helper()
	reader := NewReader(r, Options{Max: limit, Noise: func(why Noise, _ []byte) { noise = append(noise, why) }})
	for {
		m, err := reader.Next()
		if err == io.EOF {
			return got, noise
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, render(m))
	}
}

const (
	one = `{"jsonrpc":"2.0","id":1,"result":{"a":1}}`
	two = `{"jsonrpc":"2.0","id":"2","error":{"code":-1}}`
)

func TestReader(t *testing.T) {
	deep := strings.Repeat(`[`, 10_001) + strings.Repeat(`]`, 10_001)
	long := strings.Repeat("x", 40_000)
	gotOne, gotTwo := `id=1 {"a":1}`, `id="2" error {"code":-1}`
	tests := map[string]struct {
		in    string
		want  []string
		noise []Noise
	}{
		"two lines":            {in: one + "\n" + two + "\n", want: []string{gotOne, gotTwo}},
		"CRLF and lone CR":     {in: one + "\r\n\r\n\r\n" + two + "\r\n", want: []string{gotOne, gotTwo}},
		"blank lines":          {in: "\n\n  \t\n" + one + "\n\n", want: []string{gotOne}},
		"byte order mark":      {in: "\xEF\xBB\xBF" + one + "\n\xEF\xBB\xBF" + two, want: []string{gotOne, gotTwo}},
		"no newline at end":    {in: one + "\n" + two, want: []string{gotOne, gotTwo}},
		"empty stream":         {in: ""},
		"members in any order": {in: `{"result":{"a":1},"id":1,"extra":[],"jsonrpc":"2.0"}`, want: []string{gotOne}},
		"white space inside":   {in: "{ \"jsonrpc\" : \"2.0\" ,\t\"id\" : 1 , \"result\" : {\"a\":1} } \n", want: []string{gotOne}},
		"error null is none":   {in: `{"jsonrpc":"2.0","id":1,"error":null,"result":{"a":1}}`, want: []string{gotOne}},
		"error without an id":  {in: `{"jsonrpc":"2.0","error":{"code":-32700}}`, want: []string{`id=null error {"code":-32700}`}},
		"id null":              {in: `{"jsonrpc":"2.0","id":null,"error":{}}`, want: []string{`id=null error {}`}},
		"request":              {in: `{"jsonrpc":"2.0","id":7,"method":"ping"}`, want: []string{`ping id=7 `}},
		"notification":         {in: `{"jsonrpc":"2.0","method":"a\/b","params":[1]}`, want: []string{`a/b id= [1]`}},
		"2^53+1 is untouched":  {in: `{"jsonrpc":"2.0","id":9007199254740993,"result":1.50}`, want: []string{`id=9007199254740993 1.50`}},
		"repeated name, last":  {in: `{"jsonrpc":"2.0","id":1,"id":2,"result":0}`, want: []string{`id=2 0`}},

		"banner": {
			in:   "Server v1\n\n*** ready ***\n" + one + "\n",
			want: []string{gotOne}, noise: []Noise{NotJSON, NotJSON},
		},
		"JSON that is no message": {
			in:   "{}\n[]\n[1]\n42\n\"x\"\nnull\n" + `{"level":"info"}` + "\n" + `{"jsonrpc":"1.0","id":1}` + "\n" + `{"jsonrpc":"2.0","result":1}` + "\n" + one,
			want: []string{gotOne}, noise: []Noise{NotRPC, NotRPC, NotRPC, NotRPC, NotRPC, NotRPC, NotRPC, NotRPC, NotRPC},
		},
		"pretty-printed dump": {
			in:   "{\n  message: 'x',\n}\n" + one,
			want: []string{gotOne}, noise: []Noise{NotJSON, NotJSON, NotJSON},
		},
		"garbage, then good":      {in: "{\"jsonrpc\":\n" + one + "\n", want: []string{gotOne}, noise: []Noise{NotJSON}},
		"text before":             {in: "INFO sent " + one + "\n", want: []string{gotOne}, noise: []Noise{NotJSON}},
		"text after":              {in: one + " done\n", want: []string{gotOne}, noise: []Noise{NotJSON}},
		"braces in the text":      {in: "{INFO} {x} [y] {\"a\":1} " + one + " {}\n", want: []string{gotOne}, noise: []Noise{NotJSON}},
		"colour around":           {in: "\x1b[32m" + one + "\x1b[0m\n", want: []string{gotOne}, noise: []Noise{NotJSON}},
		"two on one line":         {in: one + two + "\n", want: []string{gotOne, gotTwo}, noise: []Noise{NotJSON}},
		"inside a log record":     {in: `x {"level":"debug","msg":` + one + "}\n", noise: []Noise{NotJSON}},
		"batch":                   {in: "[" + one + "," + two + ",3,{}]\n", want: []string{gotOne, gotTwo}},
		"batch of nothing":        {in: "[{},[" + one + "]]\n", noise: []Noise{NotRPC}},
		"broken batch":            {in: "[" + one + ",\n" + two, want: []string{gotOne, gotTwo}, noise: []Noise{NotJSON}},
		"invalid UTF-8":           {in: "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"a\xffb\"}\n", want: []string{`id=1 "a` + "\uFFFD" + `b"`}},
		"NUL around":              {in: "\x00\x00" + one + "\x00\n", want: []string{gotOne}, noise: []Noise{NotJSON}},
		"NUL in a string":         {in: "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"a\x00b\"}\n" + two, want: []string{"syntax 1", gotTwo}},
		"progress before":         {in: "10%\r20%\r" + one + "\n", want: []string{gotOne}, noise: []Noise{NotJSON}},
		"a log of half a reply":   {in: `DEBUG out: {"jsonrpc":"2.0","id":1,"result":{"a"` + "...\n" + one, want: []string{gotOne}, noise: []Noise{NotJSON}},
		"broken, its id nowhere":  {in: `{"jsonrpc":"2.0","result":{"x":NaN}}` + "\n" + two, want: []string{"syntax null", gotTwo}},
		"lone surrogate is kept":  {in: `{"jsonrpc":"2.0","id":1,"result":"\ud800"}`, want: []string{`id=1 "\ud800"`}},
		"NaN in a reply":          {in: `{"jsonrpc":"2.0","id":1,"result":{"x":NaN}}` + "\n" + two, want: []string{"syntax 1", gotTwo}},
		"reply cut in the middle": {in: `{"jsonrpc":"2.0","id":1,"result":{"x":` + "\n" + two, want: []string{"syntax 1", gotTwo}},
		"reply nested too deep":   {in: `{"jsonrpc":"2.0","id":1,"result":` + deep + "}\n" + two, want: []string{"syntax 1", gotTwo}},
		"deep, id last":           {in: `{"result":` + deep + `,"jsonrpc":"2.0","id":1}` + "\n", want: []string{"syntax 1"}},
		"LSP framing": {
			in:   "Content-Length: 41\r\n\r\n" + one + "Content-Length: 47\r\n\r\n" + two,
			want: []string{gotOne, gotTwo}, noise: []Noise{LSP, NotJSON},
		},

		"too long, id first": {
			in:   one + "\n" + `{"jsonrpc":"2.0","id":1,"result":"` + long + "\"}\n" + two,
			want: []string{gotOne, "too long 1", gotTwo},
		},
		"too long, id last": {
			in:   `{"result":"` + long + `","jsonrpc":"2.0","id":"s1"}` + "\n" + two,
			want: []string{`too long "s1"`, gotTwo}, noise: []Noise{TooLong},
		},
		"too long, id last, then version": {
			in:   `{"result":"` + long + `", "id" : 7, "jsonrpc": "2.0"}` + "\r\n" + two,
			want: []string{`too long 7`, gotTwo}, noise: []Noise{TooLong},
		},
		"too long, an inner id last": {
			in:   `{"result":{"x":"` + long + `","id":7}}` + "\n" + two,
			want: []string{"too long null", gotTwo}, noise: []Noise{TooLong},
		},
		"too long, its id nowhere": {
			in:   `{"jsonrpc":"2.0","result":"` + long + `","extra":{}}` + "\n" + two,
			want: []string{"too long null", gotTwo}, noise: []Noise{TooLong},
		},
		"too long, behind text": {in: `{INFO} sent {"jsonrpc":"2.0","id":1,"result":"` + long + "\"}\n" + two, want: []string{"too long 1", gotTwo}},
		"too long, in a batch":  {in: `[{"jsonrpc":"2.0","id":1,"result":"` + long + "\"}]\n" + two, want: []string{"too long 1", gotTwo}},
		"too long, a request":   {in: `{"jsonrpc":"2.0","id":7,"method":"` + long + `"}` + "\n" + two, want: []string{gotTwo}, noise: []Noise{TooLong}},
		"too long, only text":   {in: long + "\n" + two, want: []string{gotTwo}, noise: []Noise{TooLong}},
		"too long, and no end":  {in: one + "\n" + long, want: []string{gotOne}, noise: []Noise{TooLong}},
		"too long, ends at once": {
			in:   `{"result":"` + strings.Repeat("x", 30_005) + `","jsonrpc":"2.0","id":7}` + "\n" + two,
			want: []string{"too long 7", gotTwo},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for how, r := range map[string]io.Reader{
				"whole":       strings.NewReader(tt.in),
				"byte a time": iotest.OneByteReader(strings.NewReader(tt.in)),
			} {
				got, noise := readAll(t, r, 30_010)
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("%s: messages (-want +got):\n%s", how, diff)
				}
				if diff := cmp.Diff(tt.noise, noise); diff != "" {
					t.Errorf("%s: noise (-want +got):\n%s", how, diff)
				}
			}
		})
	}
}

// A size just below, at and above what readers with a fixed buffer stop at.
func TestSizes(t *testing.T) {
	for _, n := range []int{1 << 10, 16<<10 - 1, 16 << 10, 65_535, 65_536, 65_537, 1 << 20, 20 << 20} {
		text := strings.Repeat("x", n)
		got, noise := readAll(t, strings.NewReader(`{"jsonrpc":"2.0","id":1,"result":"`+text+`"}`+"\n"+two), 0)
		if len(got) != 2 || got[0] != `id=1 "`+text+`"` || noise != nil {
			t.Errorf("%d bytes: %d messages, noise %v", n, len(got), noise)
		}
	}
}

var noise = bytes.Repeat([]byte("x"), 64<<10)

// endless gives n bytes without a newline.
type endless struct{ n int }

func (e *endless) Read(p []byte) (int, error) {
	if e.n <= 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(e.n, len(p))], noise)
	e.n -= n
	return n, nil
}

func TestEndlessLineCostsBoundedMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, noise := readAll(t, &endless{n: 256 << 20}, 1<<20)
	runtime.ReadMemStats(&after)
	if len(got) != 0 || len(noise) != 1 {
		t.Errorf("got %v, noise %v", got, noise)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
		t.Errorf("%d bytes allocated for a line of 256 MiB with a limit of 1 MiB", used)
	}
}

// The error of the stream comes after the last message, and comes again.
func TestErrorOfTheStream(t *testing.T) {
	broken := errors.New("broken")
	r := NewReader(io.MultiReader(strings.NewReader(one), iotest.ErrReader(broken)), Options{})
	if m, err := r.Next(); err != nil || render(m) != `id=1 {"a":1}` {
		t.Errorf("%v, %v", render(m), err)
	}
	for range 2 {
		if _, err := r.Next(); err != broken {
			t.Errorf("error %v, want %v", err, broken)
		}
	}
}
