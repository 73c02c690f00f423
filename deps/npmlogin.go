package deps

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// npmLogin passes on what npm knows of one registry: credentials, and files of them.
func (s *settings) npmLogin(key, value string) {
	place, is := strings.CutSuffix(key, ":certfile")
	if !is {
		place, is = strings.CutSuffix(key, ":keyfile")
	}
	if !is {
		s.hide = append(s.hide, value)
		s.logins = append(s.logins, loginLine(key, value))
		return
	}
	inside, ok := s.lend(value)
	if !ok {
		return
	}
	s.logins = append(s.logins, loginLine(key, inside))
	i := slices.IndexFunc(s.certs, func(c clientCert) bool { return c.place == place })
	if i < 0 {
		i = len(s.certs)
		s.certs = append(s.certs, clientCert{place: place})
	}
	if strings.HasSuffix(key, ":certfile") {
		s.certs[i].cert = value
	} else {
		s.certs[i].key = value
	}
}

// logInToProxy gives npm a proxy's address that has a password in it, which it would take from a variable.
func (s *settings) logInToProxy() {
	names := []string{"https_proxy", "HTTPS_PROXY"}
	if strings.HasPrefix(s.registry, "http:") {
		names = append(names, "http_proxy", "HTTP_PROXY")
	}
	for _, name := range names {
		for _, v := range s.secret {
			if value, is := strings.CutPrefix(v, name+"="); is {
				s.logins = append(s.logins, loginLine("https-proxy", value))
				return
			}
		}
	}
}

// loginLine is one setting as npm reads it from a file.
func loginLine(key, value string) string {
	quoted, err := json.Marshal(value)
	if err != nil {
		return "" // cannot be: it is a string
	}
	return key + "=" + string(quoted) + "\n"
}

// withoutUser takes the credentials out of a registry's address, and gives them to npm the way it wants them.
func (s *settings) withoutUser(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return address
	}
	password, _ := u.User.Password()
	place := "//" + u.Host + strings.TrimSuffix(u.Path, "/") + "/:"
	encoded := base64.StdEncoding.EncodeToString([]byte(password))
	s.hide = append(s.hide, encoded)
	s.logins = append(s.logins, loginLine(place+"username", u.User.Username()), loginLine(place+"_password", encoded))
	u.User = nil
	return u.String()
}
