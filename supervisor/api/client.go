package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"

	"golang.org/x/sys/unix"

	"majordomo/configs/humanize"
)

// maxAnswer bounds what a client keeps of one answer; tool results are the largest.
const maxAnswer = 64 << 20

// Client talks to the daemon behind one socket. It is safe for concurrent use.
//
// Every method blocks until the daemon has answered or ctx ends. Errors are *NotRunning when nobody listens, *Error
// when the daemon said no.
type Client struct{ http http.Client }

// NewClient prepares a client; it does not connect yet.
func NewClient(socket string) *Client {
	var dialer net.Dialer
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		conn, err := dialer.DialContext(ctx, "unix", socket)
		return conn, dialError(socket, err)
	}
	return &Client{http: http.Client{Transport: &http.Transport{DialContext: dial}}}
}

// dialError knows the usual reasons why nobody can be asked. EINVAL is a path that no socket can have.
func dialError(socket string, err error) error {
	switch {
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.ECONNREFUSED), errors.Is(err, unix.EINVAL):
		return &NotRunning{Socket: socket}
	case errors.Is(err, unix.EACCES):
		return Errorf(Refused, "cannot talk to the daemon at %s: it is another user's own", socket)
	}
	return err
}

// MCP is where a member's agents find /mcp behind the socket: a client that connects to it, and the URL.
func (c *Client) MCP(member string) (*http.Client, string) {
	return &c.http, get("/mcp").of(member).url()
}

// Close drops idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// send asks and returns the body of a 200 answer; the caller closes it.
func (c *Client) send(ctx context.Context, q question) (io.ReadCloser, error) {
	req, err := q.request(ctx)
	if err != nil {
		return nil, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, plain(ctx, err)
	}
	if resp.StatusCode == http.StatusOK {
		return resp.Body, nil
	}
	defer resp.Body.Close()
	return nil, readError(resp)
}

// plain drops the made-up address that net/http puts in front.
func plain(ctx context.Context, err error) error {
	if down, ok := errors.AsType[*NotRunning](err); ok {
		return down
	}
	if refused, ok := errors.AsType[*Error](err); ok {
		return refused
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errStopped
	}
	return fmt.Errorf("cannot talk to the daemon: %w", humanize.Error(err))
}

// errStopped is what a caller sees of a daemon that ends.
var errStopped = errors.New("cannot finish: the daemon stopped before it was done; see its log")

func readError(resp *http.Response) error {
	var body struct{ Error *Error }
	err := json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(&body)
	if err != nil || body.Error == nil {
		return Errorf(Failed, "cannot read the daemon's answer (%s): is it another version?", resp.Status)
	}
	return body.Error
}

// raw asks and returns the answer's bytes as they are.
func (c *Client) raw(ctx context.Context, q question) ([]byte, error) {
	body, err := c.send(ctx, q)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	data, err := io.ReadAll(io.LimitReader(body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, plain(ctx, err)
	case len(data) > maxAnswer:
		return nil, Errorf(Failed, "cannot take an answer of more than %d MiB", maxAnswer>>20)
	}
	return data, nil
}

// tell asks for what has no answer but that it was done.
func tell(ctx context.Context, c *Client, q question) error {
	_, err := ask[none](ctx, c, q)
	return err
}

// ask asks and decodes the answer.
func ask[R any](ctx context.Context, c *Client, q question) (R, error) {
	var out R
	data, err := c.raw(ctx, q)
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal(data, &out); err != nil {
		return out, fmt.Errorf("cannot read the daemon's answer: %w", err)
	}
	return out, nil
}

// watch asks for a long operation, hands out its items as they come and returns its result.
func watch[I, R any](ctx context.Context, c *Client, q question, onItem func(I)) (R, error) {
	body, err := c.send(ctx, q)
	if err != nil {
		var zero R
		return zero, err
	}
	defer body.Close()
	result, err := follow[I, R](body, onItem)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return result, err
}
