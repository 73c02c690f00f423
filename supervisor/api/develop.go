package api

import (
	"net/http"

	"majordomo/supervisor"
)

// DevelopmentRequest has a connector run that is not installed, for as long as the request lasts. The files are in it, so
// that the daemon reads none that the caller could not.
type DevelopmentRequest struct {
	Member  string            `json:"member"`
	Files   map[string][]byte `json:"files"` // what is shipped, and fragment.json, by path
	Set     map[string]string `json:"set,omitempty"`
	Secrets map[string]string `json:"secrets,omitempty"`
}

// develop is for members too: what they run is in a sandbox, and they could run it without one.
func (s *Server) develop(w http.ResponseWriter, r *request) error {
	var in DevelopmentRequest
	if err := r.decode(&in); err != nil {
		return err
	}
	member, err := s.member(r, in.Member)
	if err != nil {
		return err
	}
	stream(w, shared, func(report func(Progress)) (none, error) {
		return none{}, s.o.Supervisor.Develop(r.Context(), supervisor.Development{
			Member: member, Connector: r.PathValue("id"), Files: in.Files, Set: in.Set, Secrets: in.Secrets,
			Report: func(p supervisor.Progress) { report(working(p)) },
		})
	})
	return nil
}
