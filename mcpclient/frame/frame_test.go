package frame

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	utf16enc "unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

// render makes messages comparable: "id 1 result {}", "fault of 1: too long".
func render(m Message) string {
	switch {
	case errors.Is(m.Fault, ErrTooLong):
		return fmt.Sprintf("too long %s", m.ID)
	case errors.Is(m.Fault, ErrVersion):
		return fmt.Sprintf("version %s", m.ID)
	case errors.Is(m.Fault, ErrSyntax):
		return fmt.Sprintf("syntax %s", m.ID)
	case m.Method != "":
		return fmt.Sprintf("%s id=%s %s", m.Method, m.ID, m.Params)
	case m.Error != nil:
		return fmt.Sprintf("id=%s error %s", m.ID, m.Error)
	}
	return fmt.Sprintf("id=%s %s", m.ID, m.Result)
}

// utf16 is how a program writes that believes it must.
func utf16(order binary.AppendByteOrder, s string) string {
	var b []byte
	for _, unit := range utf16enc.Encode([]rune(s)) {
		b = order.AppendUint16(b, unit)
	}
	return string(b)
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
		"LSP framing with a type": {
			in:   "Content-Length: 41\r\nContent-Type: application/vscode-jsonrpc\r\n\r\n" + one,
			want: []string{gotOne}, noise: []Noise{LSP},
		},
		"an HTTP answer, logged": {
			in:   "HTTP/1.1 200 OK\r\nContent-Length: 41\r\nServer: x\r\n\r\n" + one,
			want: []string{gotOne}, noise: []Noise{NotJSON, NotJSON, NotJSON},
		},
		"a length, logged":         {in: "Content-Length: 41\n" + one + "\n", want: []string{gotOne}, noise: []Noise{NotJSON}},
		"UTF-16, little end first": {in: utf16(binary.LittleEndian, one+"\n"+two+"\n"), noise: []Noise{UTF16, UTF16, NotJSON}},
		"UTF-16, big end first":    {in: utf16(binary.BigEndian, one+"\n"), noise: []Noise{UTF16}},

		"an answer that names its method": {
			in:   `{"jsonrpc":"2.0","id":1,"method":"initialize","result":{"a":1}}` + "\n" + `{"jsonrpc":"2.0","id":"2","method":"x","error":{"code":-1}}`,
			want: []string{gotOne, gotTwo},
		},
		"a request with result null":  {in: `{"jsonrpc":"2.0","id":7,"method":"ping","result":null,"error":null}`, want: []string{`ping id=7 `}},
		"a notification with id null": {in: `{"jsonrpc":"2.0","id":null,"method":"a/b","params":[1]}`, want: []string{`a/b id= [1]`}},
		"result beside an error that is none": {
			in:   strings.ReplaceAll(`{"jsonrpc":"2.0","id":1,"result":{"a":1},"error":false}|{"jsonrpc":"2.0","error":"","id":1,"result":{"a":1}}|{"jsonrpc":"2.0","error":{},"id":1,"result":{"a":1}}`, "|", "\n"),
			want: []string{gotOne, gotOne, gotOne},
		},
		"result null beside an error": {in: `{"jsonrpc":"2.0","id":"2","result":null,"error":{"code":-1}}`, want: []string{gotTwo}},
		"an answer without a version": {
			in:   `{"id":1,"result":{"a":1}}` + "\n" + `{"jsonrpc":2.0,"id":1,"error":{}}` + "\n" + `{"id":1,"method":"x"}` + "\n" + one,
			want: []string{"version 1", "version 1", gotOne}, noise: []Noise{NotRPC},
		},
		"a long id":     {in: `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 1100) + `","method":"ping"}` + "\n" + one, want: []string{gotOne}, noise: []Noise{NotRPC}},
		"a long method": {in: `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 1100) + `"}` + "\n" + one, want: []string{gotOne}, noise: []Noise{NotRPC}},

		"a good one behind a broken one": {in: `{"jsonrpc":"2.0","id":1,"result":NaN}` + two + "\n", want: []string{"syntax 1", gotTwo}},
		"a broken one in a batch": {
			in:   `[{"jsonrpc":"2.0","id":7,"result":{"id":8,"x":NaN}},` + two + `]` + "\n" + one,
			want: []string{gotTwo, "syntax 7", gotOne}, noise: []Noise{NotJSON},
		},
		"on several lines": {
			in:   "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1,\n  \"result\": {\n    \"a\": [\n      1.50,\n      null\n    ]\n  }\n}\n" + two,
			want: []string{"id=1 {\n    \"a\": [\n      1.50,\n      null\n    ]\n  }", gotTwo}, noise: []Noise{Spread},
		},
		"a batch on several lines, CRLF": {
			in:   "[\r\n  {\r\n    \"jsonrpc\": \"2.0\",\r\n    \"id\": 1,\r\n    \"result\": 0\r\n  }\r\n]\r\n" + two,
			want: []string{"id=1 0", gotTwo}, noise: []Noise{Spread},
		},
		"on several lines, broken": {
			in:   "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1,\n  \"result\": NaN\n}\n" + two,
			want: []string{"syntax 1", gotTwo}, noise: []Noise{Spread},
		},
		"JSON on several lines":        {in: "{\n  \"a\": 1\n}\n" + one, want: []string{gotOne}, noise: []Noise{NotRPC}},
		"a good one between lines":     {in: "{\n  \"a\": 1,\n" + one + "\n  \"b\": 2\n}\n" + two, want: []string{gotOne, gotTwo}, noise: []Noise{NotJSON, NotJSON, NotJSON, NotJSON}},
		"a salvaged one after a brace": {in: "{\nINFO " + one + "\n" + two, want: []string{gotOne, gotTwo}, noise: []Noise{NotJSON, NotJSON}},
		"several lines without end":    {in: "{\n  \"a\": 1,\n" + strings.Repeat("  \"b\": 1,\n", 4000) + two, want: []string{gotTwo}, noise: slices.Repeat([]Noise{NotJSON}, 4002)},

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
		"too long, a batch, its calls before the limit and behind it": {
			in: `[{"jsonrpc":"2.0","id":1,"result":{"id":8}},{"id":2,"result":"` + long + `","jsonrpc":"2.0"}, {"jsonrpc":"2.0","result":["{\"id\":7,"],"id" : "s3"},` +
				`{"jsonrpc":"2.0","id":4,"method":"x"},{"jsonrpc":"2.0","error":{},"id":5}]` + "\n" + two,
			want: []string{"too long 1", "too long 2", `too long "s3"`, "too long 5", gotTwo},
		},
		"too long, a batch that ends within": {
			in:   `[{"jsonrpc":"2.0","id":1,"result":0},{"result":"` + long + "\n" + two,
			want: []string{"too long 1", gotTwo},
		},
		"too long, a request":  {in: `{"jsonrpc":"2.0","id":7,"method":"` + long + `"}` + "\n" + two, want: []string{gotTwo}, noise: []Noise{TooLong}},
		"too long, only text":  {in: long + "\n" + two, want: []string{gotTwo}, noise: []Noise{TooLong}},
		"too long, and no end": {in: one + "\n" + long, want: []string{gotOne}, noise: []Noise{TooLong}},
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
