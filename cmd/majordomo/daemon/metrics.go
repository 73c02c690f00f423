package daemon

import (
	"errors"
	"net/http"
	"strings"

	"majordomo/supervisor"
)

// forAdmins lets through who shows the token of an admin. Every user of the machine can connect to the address, and what
// is behind this names who has which connectors.
func forAdmins(core *supervisor.Supervisor, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		_, err := core.AdminOfToken(r.Context(), strings.TrimSpace(token))
		var other *supervisor.NotAdmin
		switch {
		case errors.As(err, &other):
			answer(w, http.StatusForbidden, err.Error())
		case err != nil:
			w.Header().Set("WWW-Authenticate", `Bearer realm="majordomo"`)
			answer(w, http.StatusUnauthorized, "cannot show this without an admin's token: make one with majordomo token create --member ADMIN")
		default:
			next.ServeHTTP(w, r)
		}
	})
}
