package api

import (
	"net/http"

	"majordomo/supervisor"
)

// access says who may ask.
type access int

const (
	anyone  access = iota // every user of this machine
	members               // users mapped to a member, and admins
	admins                // uid 0, the daemon's own uid, and members with that role
)

// route is one thing that can be asked. None can be added without saying who may ask it. A handler that names a member
// takes the name from request.member, which keeps members to themselves.
type route struct {
	pattern string
	may     access
	handle  func(*Server, http.ResponseWriter, *request) error
}

func routes() []route {
	return []route{
		{"GET /v1/version", anyone, (*Server).version},
		{"GET /v1/status", members, (*Server).status},
		{"GET /v1/events", members, (*Server).events},
		{"GET /v1/doctor", members, (*Server).doctor},

		{"GET /v1/feed", members, (*Server).feed},
		{"GET /v1/feed/{id}", members, (*Server).release},
		{"GET /v1/packages", members, (*Server).packages},
		{"GET /v1/icons/{id}", members, (*Server).icon},
		{"POST /v1/packages/{id}", admins, (*Server).install},
		{"GET /v1/packages/{id}/plan", admins, (*Server).plan},
		{"POST /v1/packages/{id}/rollback", admins, (*Server).rollback},
		{"DELETE /v1/packages/{id}", admins, (*Server).remove},
		{"POST /v1/gc", admins, (*Server).collect},

		{"GET /v1/members", members, (*Server).members},
		{"POST /v1/members", admins, (*Server).addMember},
		{"GET /v1/tokens", members, (*Server).tokens},
		{"POST /v1/tokens", members, (*Server).createToken},
		{"DELETE /v1/tokens/{id}", members, (*Server).revokeToken},

		{"POST /v1/activations", members, (*Server).activate},
		{"DELETE /v1/activations/{id}", members, steer((*supervisor.Supervisor).Deactivate)},
		{"POST /v1/activations/{id}/start", members, steer((*supervisor.Supervisor).StartConnector)},
		{"POST /v1/activations/{id}/stop", members, steer((*supervisor.Supervisor).StopConnector)},
		{"POST /v1/activations/{id}/restart", members, steer((*supervisor.Supervisor).Restart)},
		{"GET /v1/activations/{id}/logs", members, (*Server).logs},
		{"GET /v1/activations/{id}/login", members, (*Server).login},
		{"POST /v1/activations/{id}/probe", members, (*Server).probe},

		{"POST /v1/development/{id}", members, (*Server).develop},

		{"GET /v1/tools", members, (*Server).tools},
		{"POST /v1/call", members, (*Server).call},
		{"/mcp", members, (*Server).mcp},
	}
}

// permit refuses a caller the route is not for.
func (a access) permit(c supervisor.Caller) error {
	switch {
	case a == anyone, c.Admin, a == members && c.Member != "":
		return nil
	case c.Member == "":
		return Errorf(Refused, "cannot let you in: user %d of this machine is no member; an admin adds you with: majordomo member add NAME --uid %d",
			c.UID, c.UID)
	}
	return Errorf(Refused, "cannot do this for %s: only an admin may", c.Member)
}
