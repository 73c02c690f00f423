package api

import (
	"net/http"

	"majordomo/supervisor"
)

func (s *Server) members(w http.ResponseWriter, r *request) error {
	all, err := s.o.Supervisor.Members(r.Context())
	seen := []Member{}
	for _, m := range all {
		if own := r.theirs(); own == "" || own == m.Name {
			seen = append(seen, Member(m))
		}
	}
	return reply(w, seen, err)
}

func (s *Server) addMember(w http.ResponseWriter, r *request) error {
	var m Member
	if err := r.decode(&m); err != nil {
		return err
	}
	return reply(w, m, s.o.Supervisor.AddMember(r.Context(), supervisor.Member(m)))
}

// theirs is whose things a caller sees without naming anybody: everybody's, or their own.
func (r *request) theirs() string {
	if r.caller.Admin {
		return ""
	}
	return r.caller.Member
}

func (s *Server) tokens(w http.ResponseWriter, r *request) error {
	all, err := s.o.Supervisor.Tokens(r.Context(), r.theirs())
	return reply(w, each(all, func(t supervisor.Token) Token { return Token(t) }), err)
}

func (s *Server) revokeToken(w http.ResponseWriter, r *request) error {
	return reply(w, none{}, s.o.Supervisor.RevokeToken(r.Context(), r.theirs(), r.PathValue("id")))
}

func (s *Server) createToken(w http.ResponseWriter, r *request) error {
	var in TokenRequest
	if err := r.decode(&in); err != nil {
		return err
	}
	member, err := s.member(r, in.Member)
	if err != nil {
		return err
	}
	token, text, err := s.o.Supervisor.CreateToken(r.Context(), member, in.Name)
	return reply(w, NewToken{ID: token.ID, Token: text}, err)
}
