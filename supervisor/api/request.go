package api

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"majordomo/configs/database"
	"majordomo/install"
	"majordomo/install/feed"
	"majordomo/supervisor"
)

const (
	maxRequest        = 34 << 20 // a call's arguments may have 32 MiB
	readHeaderTimeout = 10 * time.Second
)

// request is a request of a caller the kernel named.
type request struct {
	*http.Request
	caller supervisor.Caller
}

// decode reads the JSON body into v.
func (r *request) decode(v any) error {
	in := json.NewDecoder(r.Body)
	in.DisallowUnknownFields()
	if err := in.Decode(v); err != nil {
		return Errorf(Usage, "cannot read the request: %v", err)
	}
	_, _ = io.Copy(io.Discard, r.Body) // before its end net/http does not see the client leave
	return nil
}

// query is a parameter of the address; the body is left alone.
func (r *request) query(name string) string { return r.URL.Query().Get(name) }

// member says for whom the caller acts: the one they name, else themselves, else the household's only member. A member
// who is no admin may only name themselves.
func (s *Server) member(r *request, named string) (string, error) {
	c := r.caller
	switch {
	case named == "" && c.Member != "":
		return c.Member, nil
	case named != "" && !c.Admin && named != c.Member:
		return "", Errorf(Refused, "cannot act for %s: you are %s, and no admin", named, c.Member)
	case named != "":
		return named, nil
	}
	all, err := s.o.Supervisor.Members(r.Context())
	if err != nil {
		return "", err
	}
	return onlyOne(all)
}

func onlyOne(all []supervisor.Member) (string, error) {
	switch len(all) {
	case 0:
		return "", Errorf(Usage, "cannot tell for whom: there is no member yet; add one with: majordomo member add NAME")
	case 1:
		return all[0].Name, nil
	}
	names := make([]string, len(all))
	for i, m := range all {
		names[i] = m.Name
	}
	return "", Errorf(Usage, "cannot tell for whom: say --member with one of %s", strings.Join(names, ", "))
}

// reply writes v, unless there was an error.
func reply(w http.ResponseWriter, v any, err error) error {
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // a caller that has gone is nobody's problem
	return nil
}

func writeError(w http.ResponseWriter, e *Error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(e.Kind.status())
	_ = json.NewEncoder(w).Encode(map[string]*Error{"error": e})
}

// asError finds out what kind of error the rooms below mean.
func asError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{Kind: kindOf(err), Message: database.Explain(err).Error()}
}

func kindOf(err error) Kind {
	if isA[*supervisor.UpdateError](err) { // it was tried, whatever its cause says
		return Failed
	}
	if isA[*install.WiderError](err) {
		return Wider
	}
	refusal, ok := errors.AsType[interface {
		error
		Refused() bool
	}](err)
	if ok && refusal.Refused() {
		return Refused
	}
	if isA[*supervisor.Invalid](err) {
		return Usage
	}
	if isA[*supervisor.NotFound](err) || isA[*install.NotInstalledError](err) || isA[*feed.NotOfferedError](err) {
		return NotFound
	}
	return Failed
}

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
