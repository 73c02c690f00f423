package api

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"majordomo/supervisor"
)

// events streams what happened, and with follow what happens: an admin everything, a member what is theirs.
func (s *Server) events(w http.ResponseWriter, r *request) error {
	stream(w, alone, func(report func(Event)) (none, error) {
		for e := range s.o.Supervisor.Events(r.Context(), r.theirs(), r.query("follow") == "true") {
			report(eventOf(e))
		}
		return none{}, nil
	})
	return nil
}

func eventOf(e supervisor.Event) Event {
	return Event{
		Number: e.Number, At: e.At, Kind: string(e.Kind), Member: e.Member, Connector: e.Connector,
		From: string(e.From), To: string(e.To), Generation: e.Generation, Text: e.Text, Stage: string(e.Stage),
		Cause: string(e.Cause), Next: e.Next, Count: e.Count,
	}
}

// Events hands out what happened lately; with follow it goes on until ctx ends.
func (c *Client) Events(ctx context.Context, follow bool, event func(Event)) error {
	query := url.Values{"follow": {strconv.FormatBool(follow)}}
	_, err := watch[Event, none](ctx, c, "GET", "/v1/events", query, nil, event)
	return err
}
