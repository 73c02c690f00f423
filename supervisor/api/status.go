package api

import "net/http"

func (s *Server) version(w http.ResponseWriter, _ *request) error { return reply(w, s.o.Version, nil) }

func (s *Server) status(w http.ResponseWriter, r *request) error {
	all := s.o.Supervisor.Status()
	status := Status{Version: s.o.Version.Version, Listen: s.o.Listen, Socket: s.o.Paths.Socket(), Instances: []Instance{}}
	for _, i := range all {
		if own := r.theirs(); own == "" || own == i.Member {
			status.Instances = append(status.Instances, instance(i))
		}
	}
	if r.caller.Admin && s.o.Config != nil {
		state := s.o.Config()
		status.Config = &state
	}
	return reply(w, status, nil)
}
