package gateway

import (
	"errors"
	"fmt"
	"io"
	"net/http"
)

// unread is why a request could not be taken.
type unread struct {
	status int
	error
}

// read reads the body of a request. A large one waits for room among the large
// messages of all, which it takes until nobody holds a part of it any more.
func (m *member) read(r *http.Request) ([]byte, *unread) {
	held := m.budget.Lease()
	body := make([]byte, 0, 4<<10)
	for {
		n, err := r.Body.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case errors.Is(err, io.EOF):
			held.Until(body)
			return body, nil
		case err != nil:
			held.GiveBack()
			return nil, cannotRead(err)
		case len(body) < cap(body):
			continue
		}
		size := 2 * cap(body)
		if !held.Grow(size, r.Context().Done()) {
			held.GiveBack()
			return nil, &unread{http.StatusServiceUnavailable, errNoRoom}
		}
		body = append(make([]byte, 0, size), body...)
	}
}

var errNoRoom = errors.New("cannot take a large request now: others hold all the memory there is for large messages; try again")

func cannotRead(err error) *unread {
	if tooLarge, is := errors.AsType[*http.MaxBytesError](err); is {
		return &unread{http.StatusRequestEntityTooLarge, fmt.Errorf("cannot take a request of more than %d MiB", tooLarge.Limit>>20)}
	}
	return &unread{http.StatusBadRequest, fmt.Errorf("cannot read the request: %w", err)}
}
