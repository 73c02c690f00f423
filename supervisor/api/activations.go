package api

import (
	"context"
	"net/http"
	"time"

	"majordomo/supervisor"
	"majordomo/supervisor/activations"
)

func (s *Server) activate(w http.ResponseWriter, r *request) error {
	var in ActivationRequest
	if err := r.decode(&in); err != nil {
		return err
	}
	member, err := s.member(r, in.Member)
	if err != nil {
		return err
	}
	allow, err := privately(r, in.AllowPrivate)
	if err != nil {
		return err
	}
	stream(w, shared, func(report func(Progress)) (Activation, error) {
		report = timed(report)
		act, err := s.o.Supervisor.Activate(r.Context(), supervisor.Request{
			Member: member, Connector: in.Connector, Set: in.Set, Secrets: in.Secrets,
			Egress: in.Egress, AllowPrivate: allow,
			Progress: func(p supervisor.Progress) { report(working(p)) },
		})
		if err != nil && act.ID != "" {
			// It is remembered and tried again: that is a result, whose state and reason say what is wrong.
			act.State, act.Reason, err = activations.Error, err.Error(), nil
		}
		return activationOf(act), err
	})
	return nil
}

// privately is what a request grants of the household's own network, nil for what it leaves as it is. Who may use that network is for the
// household to say, not for each member.
func privately(r *request, asked []string) ([]string, error) {
	switch {
	case len(asked) == 0:
		return nil, nil
	case !r.caller.Admin:
		return nil, Errorf(Refused, "cannot let a connector reach private addresses: only an admin may")
	case len(asked) == 1 && asked[0] == "none":
		return []string{}, nil
	}
	return asked, nil
}

// steer answers what a member wants to become of a connector of theirs.
func steer(do func(core *supervisor.Supervisor, ctx context.Context, member, connector string) error) func(*Server, http.ResponseWriter, *request) error {
	return func(s *Server, w http.ResponseWriter, r *request) error {
		member, err := s.member(r, r.query("member"))
		if err != nil {
			return err
		}
		return reply(w, none{}, do(s.o.Supervisor, r.Context(), member, r.PathValue("id")))
	}
}

func (s *Server) logs(w http.ResponseWriter, r *request) error {
	member, err := s.member(r, r.query("member"))
	if err != nil {
		return err
	}
	lines, err := s.o.Supervisor.Logs(r.Context(), member, r.PathValue("id"), r.query("follow") == "true")
	if err != nil {
		return err
	}
	stream(w, alone, func(report func(LogLine)) (none, error) {
		for line := range lines {
			report(LogLine{At: line.At, Line: line.Text})
		}
		return none{}, nil
	})
	return nil
}

// loginPoll is how often the core is asked; it asks the connector less often, however many follow.
const loginPoll = time.Second

func (s *Server) login(w http.ResponseWriter, r *request) error {
	member, err := s.member(r, r.query("member"))
	if err != nil {
		return err
	}
	first, err := s.o.Supervisor.LoginStatus(r.Context(), member, r.PathValue("id"))
	if err != nil {
		return err
	}
	stream(w, alone, func(report func(Login)) (Login, error) {
		return s.followLogin(r.Context(), member, r.PathValue("id"), Login(first), report)
	})
	return nil
}

// followLogin reports every change until the connector is ready or ctx ends.
func (s *Server) followLogin(ctx context.Context, member, connector string, last Login, report func(Login)) (Login, error) {
	report(last)
	tick := time.NewTicker(loginPoll)
	defer tick.Stop()
	for last.State != "ready" {
		select {
		case <-ctx.Done():
			return last, ctx.Err()
		case <-tick.C:
		}
		now, err := s.o.Supervisor.LoginStatus(ctx, member, connector)
		if err != nil {
			return last, err
		}
		if Login(now) != last {
			last = Login(now)
			report(last)
		}
	}
	return last, nil
}

func (s *Server) probe(w http.ResponseWriter, r *request) error {
	var in ProbeRequest
	if err := r.decode(&in); err != nil {
		return err
	}
	member, err := s.member(r, in.Member)
	if err != nil {
		return err
	}
	result, err := s.o.Supervisor.Probe(r.Context(), member, r.PathValue("id"), in.Path)
	return reply(w, Probe(result), err)
}
