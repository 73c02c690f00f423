package conformance

import (
	"encoding/json"
	"fmt"
	"strings"
)

// checkNotifications: what has no id gets no answer (guide §2). The ping after them
// is answered when they have been dealt with.
func checkNotifications(t *trial) (string, error) {
	all := []string{
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12345,"reason":"test"}}`,
		`{"jsonrpc":"2.0","method":"notifications/of/the/future"}`,
		`{"jsonrpc":"2.0","method":"tools/list"}`,
	}
	for _, line := range all {
		if err := t.wire.send(line, t.o.Patience); err != nil {
			return "", err
		}
	}
	if _, err := t.wire.ask("ping", `{}`, t.o.Patience); err != nil {
		return "", err
	}
	for _, s := range t.wire.takeStrays() {
		if s.id == "null" {
			return "", fmt.Errorf("a message without an id was answered: %s", s)
		}
		t.strays = append(t.strays, s)
	}
	return fmt.Sprintf("%d notifications, no answer", len(all)), nil
}

// checkPing: params are optional in every request, and clients leave them out of this one.
func checkPing(t *trial) (string, error) {
	o, err := t.result("ping", `{}`)
	if err != nil {
		return "", err
	}
	if len(o) > 0 {
		return "", warn("the result of ping is not empty")
	}
	if _, err := t.result("ping", ""); err != nil {
		return "", fmt.Errorf("without params: %w", err)
	}
	return "", nil
}

// ids are what clients use: counters from 0 or 1 on, counters that lie far out, and
// texts. Fractions are not among them, for the protocol allows none.
var ids = []string{`7`, `0`, `"seven"`, `"8"`, `9007199254740991`, `-3`, `"01234567-89ab-cdef-0123-456789abcdef/é"`}

// checkIDs: an id comes back as it went out.
func checkIDs(t *trial) (string, error) {
	for _, id := range ids {
		r, err := t.wire.askAs(id, "ping", `{}`, t.o.Patience)
		if strays := t.wire.takeStrays(); err != nil && len(strays) > 0 {
			return "", fmt.Errorf("the id %s came back as %s, so nobody could know it again: %w", id, strays[0].id, err)
		}
		if err != nil {
			return "", fmt.Errorf("the id %s: %w", id, err)
		}
		if !sameJSON(string(r.ID), id) {
			return "", fmt.Errorf("the id %s came back as %s", id, r.ID)
		}
	}
	return "numbers and strings come back as they are", nil
}

// sameJSON is true of two spellings of one string, and of nothing else that differs.
func sameJSON(a, b string) bool {
	var x, y string
	return a == b || json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && x == y
}

func checkUnknownMethod(t *trial) (string, error) {
	r, err := t.ask("no/such/method", `{}`)
	if err != nil {
		return "", err
	}
	if r.Error == nil {
		return "", fmt.Errorf("it was answered with a result: %s", clip(r.Result))
	}
	if code := codeOf(r.Error); code != -32601 {
		return "", warn("the error code is %d, want -32601", code)
	}
	return "error -32601", nil
}

func codeOf(text json.RawMessage) int {
	var e struct{ Code int }
	_ = json.Unmarshal(text, &e) // what is no such object has no code
	return e.Code
}

// checkMalformed: a line that is not JSON is survived. An answer to nobody that says
// so is allowed.
func checkMalformed(t *trial) (string, error) {
	for _, line := range []string{`{"jsonrpc":`, `not JSON`, ``, `null`, `[]`, `42`, `{}`} {
		if err := t.wire.send(line, t.o.Patience); err != nil {
			return "", err
		}
	}
	if _, err := t.wire.ask("ping", `{}`, t.o.Patience); err != nil {
		return "", err
	}
	t.wire.takeStrays()
	return "survived", nil
}

// longLine is more than the buffers that some readers of lines stop at, in bytes.
const longLine = 256 << 10

// checkLongLine: what a model writes into a file is one line of a request.
func checkLongLine(t *trial) (string, error) {
	_, err := t.ask("ping", `{"_meta":{"text":"`+strings.Repeat("x", longLine)+`"}}`)
	if err != nil {
		return "", warning{fmt.Errorf("a request of %d KiB: %w", longLine>>10, err)}
	}
	return "", nil
}
