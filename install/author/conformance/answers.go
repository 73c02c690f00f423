package conformance

import (
	"encoding/json"
	"fmt"
	"time"
)

// ask sends a request of the current check; what else came meanwhile is for the
// check of standard output.
func (t *trial) ask(method, params string) (reply, error) {
	r, err := t.wire.ask(method, params, t.o.Patience)
	t.strays = append(t.strays, t.wire.takeStrays()...)
	return r, err
}

// result is the answer to a request that has to succeed, as an object.
func (t *trial) result(method, params string) (map[string]json.RawMessage, error) {
	r, err := t.ask(method, params)
	if err != nil {
		return nil, err
	}
	return object(method, r)
}

func object(method string, r reply) (map[string]json.RawMessage, error) {
	if r.Error != nil {
		return nil, fmt.Errorf("%s was answered with the error %s", method, r.Error)
	}
	var o map[string]json.RawMessage
	if err := json.Unmarshal(r.Result, &o); err != nil || o == nil {
		return nil, fmt.Errorf("the result of %s is %s, want an object", method, kind(r.Result))
	}
	return o, nil
}

// kind names a JSON value that is not what was wanted.
func kind(v json.RawMessage) string {
	switch {
	case len(v) == 0:
		return "missing"
	case v[0] == '[':
		return "a list"
	}
	return clip(v)
}

// firstAnswer is the patience for a process that has just been started.
func (t *trial) firstAnswer() time.Duration { return 3 * t.o.Patience }
