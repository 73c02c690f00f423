package mcpclient

import (
	"encoding/json"
	"errors"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// requestLine builds a request from parameters that are compact JSON already,
// an object without _meta if there is something to say in that.
func requestLine(id int64, method string, params, meta []byte) []byte {
	line := make([]byte, 0, len(params)+len(method)+len(meta)+128)
	line = append(line, `{"jsonrpc":"2.0","id":`...)
	line = strconv.AppendInt(line, id, 10)
	if params == nil || len(meta) == 0 {
		return appendMethod(line, method, params)
	}
	line = appendMethod(line, method, params[:len(params)-1])
	line = line[:len(line)-len("}\n")]
	if len(params) > len("{}") {
		line = append(line, ',')
	}
	line = append(append(line, `"_meta":{`...), meta...)
	return append(line, "}}}\n"...)
}

// metaOf is what a request says in its _meta: the token of its progress, which
// is its id, and what its era demands.
func (c *Conn) metaOf(id int64, progress bool) []byte {
	if !progress {
		return c.meta
	}
	meta := strconv.AppendInt([]byte(`"progressToken":`), id, 10)
	if c.meta != nil {
		meta = append(append(meta, ','), c.meta...)
	}
	return meta
}

// notificationLine builds a notification.
func notificationLine(method string, params []byte) []byte {
	return appendMethod([]byte(`{"jsonrpc":"2.0"`), method, params)
}

func appendMethod(line []byte, method string, params []byte) []byte {
	line = append(line, `,"method":`...)
	line = appendString(line, method)
	if params != nil {
		line = append(line, `,"params":`...)
		line = append(line, params...)
	}
	return append(line, "}\n"...)
}

// answerLine builds the answer to a server request; key is result or error.
func answerLine(id json.RawMessage, key string, value []byte) []byte {
	line := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	line = append(line, `,"`+key+`":`...)
	line = append(line, value...)
	return append(line, "}\n"...)
}

// appendString appends s as a JSON string.
func appendString(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s) // its error only says that invalid UTF-8 was replaced
	return dst
}

// appendCompact appends a JSON value without white space, so that it stays on
// its line; numbers and strings keep their bytes.
func appendCompact(dst []byte, raw json.RawMessage) ([]byte, error) {
	if !utf8.Valid(raw) {
		return nil, errors.New("not valid UTF-8")
	}
	return jsontext.AppendFormat(dst, raw, jsontext.PreserveRawStrings(true),
		jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
}
