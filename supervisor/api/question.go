package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
)

// question is one request, for a route in the table of routes.go. Body is sent as JSON; nil = none.
type question struct {
	method, path string
	query        url.Values
	body         any
}

// none is the answer where there is nothing to say.
type none struct{}

// get, post and remove join the parts of a path; only the first may have slashes.
func get(parts ...string) question    { return newQuestion(http.MethodGet, parts) }
func post(parts ...string) question   { return newQuestion(http.MethodPost, parts) }
func remove(parts ...string) question { return newQuestion(http.MethodDelete, parts) }

func newQuestion(method string, parts []string) question {
	path := parts[0]
	for _, part := range parts[1:] {
		path += "/" + url.PathEscape(part)
	}
	return question{method: method, path: path, query: url.Values{}}
}

func (q question) with(body any) question {
	q.body = body
	return q
}

// of names a member; "" leaves it to the daemon to know whose.
func (q question) of(member string) question { return q.set("member", member) }

// flag sets a parameter that is absent when it is false.
func (q question) flag(name string, on bool) question {
	if on {
		return q.set(name, "true")
	}
	return q
}

// set sets a parameter, unless it is empty.
func (q question) set(name, value string) question {
	if value != "" {
		q.query.Set(name, value)
	}
	return q
}

// url has a made-up host: what is dialled is the socket.
func (q question) url() string { return "http://majordomo" + q.path + "?" + q.query.Encode() }

func (q question) request(ctx context.Context) (*http.Request, error) {
	var body bytes.Buffer
	if q.body != nil {
		if err := json.NewEncoder(&body).Encode(q.body); err != nil {
			return nil, fmt.Errorf("cannot write the request: %w", err)
		}
	}
	return http.NewRequestWithContext(ctx, q.method, q.url(), &body)
}
