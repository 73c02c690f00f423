package api

import (
	"net/http"

	"majordomo/supervisor"
)

func (s *Server) version(w http.ResponseWriter, _ *request) error { return reply(w, s.o.Version, nil) }

func (s *Server) status(w http.ResponseWriter, r *request) error {
	wanted, err := s.wanted(r)
	if err != nil {
		return err
	}
	status := Status{Version: s.o.Version.Version, Listen: s.o.Listen, Socket: s.o.Paths.Socket(), Instances: []Instance{}}
	for _, i := range s.o.Supervisor.Status() {
		if own := r.theirs(); own == "" || own == i.Member {
			status.Instances = append(status.Instances, instance(i, wanted[[2]string{i.Member, i.Connector}]))
		}
	}
	if r.caller.Admin && s.o.Config != nil {
		state := s.o.Config()
		status.Config = &state
	}
	return reply(w, status, nil)
}

// wanted is what the caller may see of what members activated, by member and connector.
func (s *Server) wanted(r *request) (map[[2]string]supervisor.Activation, error) {
	all, err := s.o.Supervisor.Activations(r.Context(), r.theirs())
	wanted := map[[2]string]supervisor.Activation{}
	for _, a := range all {
		wanted[[2]string{a.Member, a.ID}] = a
	}
	return wanted, err
}
