package api

import (
	"net/http"

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
