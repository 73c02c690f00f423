package api

import (
	"fmt"
	"net/http"
)

// Kind says what a caller can do about an error. It decides the exit code of a verb.
type Kind string

// The kinds of error.
const (
	Failed   Kind = "failed"    // it was tried and did not work
	Usage    Kind = "usage"     // the request makes no sense
	Refused  Kind = "refused"   // not permitted, or not trustworthy
	Wider    Kind = "wider"     // refused, until somebody agrees to what a release reaches for
	NotFound Kind = "not_found" // no such connector, member, tool or route
)

func (k Kind) status() int {
	switch k {
	case Usage:
		return http.StatusBadRequest
	case Refused, Wider:
		return http.StatusForbidden
	case NotFound:
		return http.StatusNotFound
	}
	return http.StatusInternalServerError
}

// Error is an error as the socket carries it.
type Error struct {
	Kind    Kind   `json:"kind"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Message }

// Errorf makes an Error of this kind.
func Errorf(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// NotRunning means that no daemon listens on the socket.
type NotRunning struct{ Socket string }

func (e *NotRunning) Error() string {
	return fmt.Sprintf("cannot reach the daemon at %s: it is not running; start it with: majordomo serve", e.Socket)
}
