package api

import (
	"encoding/json"
	"net/http"
)

func (s *Server) tools(w http.ResponseWriter, r *request) error {
	member, err := s.member(r, r.query("member"))
	if err != nil {
		return err
	}
	tools, err := s.o.Supervisor.Tools(r.Context(), member)
	return reply(w, each(tools, toolOf), err)
}

// call hands out the connector's bytes as they are.
func (s *Server) call(w http.ResponseWriter, r *request) error {
	var in CallRequest
	if err := r.decode(&in); err != nil {
		return err
	}
	member, err := s.member(r, in.Member)
	if err != nil {
		return err
	}
	if len(in.Arguments) == 0 {
		in.Arguments = json.RawMessage("{}")
	}
	result, err := s.o.Supervisor.Call(r.Context(), member, in.Tool, in.Arguments)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(result)
	return nil
}

// mcp is /mcp for those whom the kernel vouches for, so that `majordomo mcp` needs no token.
func (s *Server) mcp(w http.ResponseWriter, r *request) error {
	member, err := s.member(r, r.query("member"))
	if err != nil {
		return err
	}
	s.o.Agents.ServeMember(w, r.Request, member)
	return nil
}
