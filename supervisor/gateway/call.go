package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/mark3labs/mcp-go/mcp"

	"majordomo/mcpclient"
	"majordomo/supervisor"
)

// callID names a call in flight. Agents choose their ids, so that two sessions
// may well use the same one.
type callID struct{ session, id string }

// call is one call in flight.
type call struct{ cancel context.CancelCauseFunc }

var errCancelled = errors.New("the agent cancelled the call")

// call answers tools/call with what the connector answered, byte by byte. An
// agent that hangs up has not cancelled: the protocol has a message for that.
func (m *member) call(r *http.Request, msg message) [][]byte {
	var name, args, meta jsontext.Value
	err := members(msg.Params, func(field string, value jsontext.Value) {
		switch field {
		case "name":
			name = value
		case "arguments":
			args = value
		case "_meta":
			meta = value
		}
	})
	tool := text(name)
	if err != nil || tool == "" {
		return [][]byte{(&rpcError{code: mcp.INVALID_PARAMS, message: "tools/call needs the name of a tool"}).answer(msg.ID)}
	}
	if args.Kind() == 'n' {
		args = nil
	}
	return m.dispatch(r, jsontext.Value(bytes.Clone(msg.ID)), tool, args, bytes.Clone(meta))
}

// dispatch makes the call. Of the request it holds its arguments, and only until
// they were sent.
func (m *member) dispatch(r *http.Request, id jsontext.Value, tool string, args, meta jsontext.Value) [][]byte {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(r.Context()))
	defer cancel(nil)
	session := r.Header.Get(sessionHeader)
	defer m.begin(callID{session, string(id)}, &call{cancel})()
	result, err := m.door.CallTelling(ctx, m.name, tool, json.RawMessage(args), m.progress(session, meta))
	if err == nil && jsontext.Value(result).Kind() != '{' {
		err = errors.New("cannot pass on what the connector answered: it is not a JSON object")
	}
	if fault := protocolFault(err); fault != nil {
		return [][]byte{fault.answer(id)}
	}
	if err != nil {
		result = failed(err)
	}
	return [][]byte{start(id, "result"), result, []byte("}")}
}

// progress passes on what a connector tells of a call, under the token that the
// agent gave in its meta, on the stream of the agent's session. nil when the
// agent did not ask. What finds no stream is lost, as the protocol allows.
func (m *member) progress(session string, meta jsontext.Value) func(json.RawMessage) {
	var wants struct {
		Token jsontext.Value `json:"progressToken"`
	}
	if session == "" || jsonv2.Unmarshal(meta, &wants, lenient) != nil || wants.Token.Kind() != '"' && wants.Token.Kind() != '0' {
		return nil
	}
	return func(params json.RawMessage) {
		var fields map[string]jsontext.Value
		if jsonv2.Unmarshal(params, &fields, lenient) != nil {
			return
		}
		told := map[string]any{}
		for name, value := range fields {
			told[name] = json.RawMessage(value)
		}
		told["progressToken"] = json.RawMessage(wants.Token)
		_ = m.mcp.SendNotificationToSpecificClient(session, "notifications/progress", told)
	}
}

// begin makes the call one that can be cancelled, until ended is called.
func (m *member) begin(id callID, c *call) (ended func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls[id] = c
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.calls[id] == c {
			delete(m.calls, id)
		}
	}
}

// cancel ends the call that a notifications/cancelled names.
func (m *member) cancel(session string, raw jsontext.Value) {
	var params struct {
		RequestID jsontext.Value `json:"requestId"`
	}
	if jsonv2.Unmarshal(raw, &params, lenient) != nil {
		return
	}
	m.mu.Lock()
	c := m.calls[callID{session, string(params.RequestID)}]
	m.mu.Unlock()
	if c != nil {
		c.cancel(errCancelled)
	}
}

// protocolFault tells errors about the request from those of the tool.
func protocolFault(err error) *rpcError {
	answered, isAnswer := errors.AsType[*mcpclient.RPCError](err)
	_, missing := errors.AsType[*supervisor.NotFound](err)
	_, invalid := errors.AsType[*supervisor.Invalid](err)
	switch {
	case isAnswer:
		return &rpcError{code: answered.Code, message: answered.Message, data: answered.Data}
	case missing, invalid:
		return &rpcError{code: mcp.INVALID_PARAMS, message: err.Error()}
	case errors.Is(err, errCancelled):
		return &rpcError{code: mcp.REQUEST_INTERRUPTED, message: err.Error()}
	}
	return nil
}

// failed is the result of a call that reached no connector, in the form that
// language models get to read.
func failed(err error) json.RawMessage {
	b, _ := jsontext.AppendQuote([]byte(`{"content":[{"type":"text","text":`), err.Error())
	return append(b, `}],"isError":true}`...)
}
