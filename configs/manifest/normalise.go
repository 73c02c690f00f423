package manifest

import (
	"slices"
	"strings"
)

// placement decides source, scope and transport, fail closed: what cannot be
// read becomes the answer that demands more authority (guide §3).
func (m *merge) placement(r *Release) {
	r.Source = m.source(r.Tags)
	r.Scope = m.scope()
	r.Transport = m.transport(r.Source)
}

func (m *merge) source(tags []string) string {
	switch typ := m.preferred("type", m.entry.typ); typ {
	case "mcp_local":
		return SourceLocal
	case "mcp_remote":
		return SourceRemote
	case "":
		if slices.Contains(tags, "remote") {
			return SourceRemote
		}
		return SourceLocal
	default:
		m.doc.report(Warning, "type", "%.80q is unknown, it is treated as mcp_local", typ)
		return SourceLocal
	}
}

func (m *merge) scope() string {
	switch scope := m.preferred("scope", m.entry.scope); scope {
	case "global":
		return ScopeGlobal
	case "user", "per_user", "":
		return ScopeUser
	default:
		m.doc.report(Warning, "scope", "%.80q is unknown, it is treated as user", scope)
		return ScopeUser
	}
}

// preferred takes the manifest's word over the index's and says so when they
// differ: the guide wants them identical.
func (m *merge) preferred(key, listed string) string {
	own := m.doc.strict().str(key)
	if own != "" && listed != "" && own != listed {
		m.doc.report(Warning, key, "it is %.80q but the index says %.80q; the manifest counts", own, listed)
	}
	return firstOf(own, listed)
}

func (m *merge) transport(source string) string {
	declared := firstOf(m.config.str("transport"), m.doc.strict().str("transport"))
	usual := TransportStdio
	if source == SourceRemote {
		usual = TransportHTTP
	}
	switch declared {
	case "stdio":
		return TransportStdio
	case "http", "streamable-http":
		return TransportHTTP
	case "sse":
		return TransportSSE
	case "":
		return usual
	}
	m.doc.report(Warning, "transport", "%.80q is unknown, it is treated as %s", declared, usual)
	return usual
}

// auth is the manifest's only; what either document requires is the fallback
// for a manifest that says nothing.
func (m *merge) auth(r Release) Auth {
	o, _ := m.doc.strict().sub("auth")
	typ := o.str("type")
	if typ == "" {
		return Auth{Kind: impliedAuth(slices.Concat(r.Requires, m.entry.requires))}
	}
	a := Auth{Kind: typ, Provider: o.str("provider"), Scopes: o.strs("scopes"), Delivery: o.str("delivery")}
	switch typ {
	case AuthNone, AuthAPIKey, AuthQR, AuthSSHKey:
	case "oauth2", "oauth":
		a.Kind = AuthOAuth
		d, _ := o.sub("deliver")
		a.Deliver = Deliver{As: d.str("as"), Format: d.str("format"), Env: d.str("env")}
	default:
		o.report(Warning, "type", "%.80q is unknown, it is treated as none", typ)
		a.Kind = AuthNone
	}
	return a
}

func impliedAuth(requires []string) string {
	has := func(word string) bool {
		return slices.ContainsFunc(requires, func(s string) bool { return strings.EqualFold(s, word) })
	}
	switch {
	case has("oauth"):
		return AuthOAuth
	case has("api_key"):
		return AuthAPIKey
	}
	return AuthNone
}
