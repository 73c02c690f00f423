package gateway

import (
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
func (m *member) call(r *http.Request, msg message) []byte {
	var params struct {
		Name      string         `json:"name"`
		Arguments jsontext.Value `json:"arguments"`
		Meta      jsontext.Value `json:"_meta"`
	}
	if err := jsonv2.Unmarshal(msg.Params, &params, lenient); err != nil || params.Name == "" {
		return (&rpcError{code: mcp.INVALID_PARAMS, message: "tools/call needs the name of a tool"}).answer(msg.ID)
	}
	if params.Arguments.Kind() == 'n' {
		params.Arguments = nil
	}
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(r.Context()))
	defer cancel(nil)
	session := r.Header.Get(sessionHeader)
	defer m.begin(callID{session, string(msg.ID)}, &call{cancel})()
	result, err := m.door.CallTelling(ctx, m.name, params.Name, json.RawMessage(params.Arguments), m.progress(session, params.Meta))
	if err == nil && jsontext.Value(result).Kind() != '{' {
		err = errors.New("cannot pass on what the connector answered: it is not a JSON object")
	}
	if fault := protocolFault(err); fault != nil {
		return fault.answer(msg.ID)
	}
	if err != nil {
		result = failed(err)
	}
	return answer(msg.ID, "result", result)
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
