package conformance

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"majordomo/mcpclient/frame"
)

// stray is an answer to nothing that was asked.
type stray struct{ id, what string }

func (s stray) String() string { return s.what + " for the id " + s.id }

// send writes one line.
func (w *wire) send(line string, patience time.Duration) error {
	if w.write(line, patience) != nil {
		return w.gone()
	}
	return nil
}

func (w *wire) write(line string, patience time.Duration) error {
	if err := w.box.Stdin.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	_, err := w.box.Stdin.WriteString(line + "\n")
	return err
}

// reply is the answer to a request: Result or Error, as they came.
type reply struct{ ID, Result, Error json.RawMessage }

// ask sends a request with the next number as its id and waits for the answer.
func (w *wire) ask(method, params string, patience time.Duration) (reply, error) {
	w.last++
	return w.askAs(fmt.Sprint(w.last), method, params, patience)
}

// askAs is ask with an id, as JSON. Without params the request has none.
func (w *wire) askAs(id, method, params string, patience time.Duration) (reply, error) {
	if params != "" {
		params = `,"params":` + params
	}
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q%s}`, id, method, params)
	if err := w.send(line, patience); err != nil {
		return reply{}, err
	}
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		select {
		case <-w.stop:
			return reply{}, &errGone{"the test was interrupted"}
		case <-limit.C:
			return reply{}, &errGone{fmt.Sprintf("there was no answer to %s within %v%s", method, patience, w.lastWords())}
		case m, ok := <-w.messages:
			if !ok {
				return reply{}, w.gone()
			}
			if r, mine := w.dispatch(m, id); mine {
				return r, m.Fault
			}
		}
	}
}

// dispatch tells the answer to id from everything else a server may send.
func (w *wire) dispatch(m frame.Message, id string) (reply, bool) {
	switch {
	case m.Method != "" && m.ID == nil: // a notification of its own
		return reply{}, false
	case m.Method != "":
		answer := `"error":{"code":-32601,"message":"this client offers nothing"}`
		if m.Method == "ping" {
			answer = `"result":{}`
		}
		_ = w.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, m.ID, answer), time.Second) // if it is gone, that is seen next
		return reply{}, false
	case looseID(string(m.ID)) == looseID(id) || sameJSON(string(m.ID), id):
		return reply{m.ID, m.Result, m.Error}, true
	}
	what := m.Result
	if m.Error != nil {
		what = m.Error
	}
	w.strays = append(w.strays, stray{string(m.ID), clip(what)})
	return reply{}, false
}

// looseID makes ids comparable that are not the same JSON but were surely meant.
func looseID(id string) string { return strings.TrimSuffix(strings.Trim(id, `"`), ".0") }

// takeStrays returns the answers to nothing that was asked.
func (w *wire) takeStrays() []stray {
	all := w.strays
	w.strays = nil
	return all
}
