package gateway

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"go.uber.org/zap"
	"go.uber.org/zap/exp/zapslog"

	"majordomo/mcpclient/frame"
)

// sessionHeader is how an agent names its session.
const sessionHeader = "Mcp-Session-Id"

const (
	idleSession = time.Hour        // a session with no stream and no request is forgotten
	heartbeat   = 25 * time.Second // proxies cut streams that are silent for a minute
)

// member is what one member's agents talk to.
type member struct {
	name   string
	door   Door
	budget *frame.Budget
	log    *zap.Logger
	ctx    context.Context // ends with the gateway
	mcp    *server.MCPServer
	http   *server.StreamableHTTPServer

	forwarded atomic.Uint64 // messages given to mcp-go, for their ids

	mu      sync.Mutex // protects the fields below
	streams map[string]*stream
	calls   map[callID]*call
}

func newMember(ctx context.Context, name string, o Options) *member {
	m := &member{
		name: name, door: o.Door, budget: o.Budget, log: o.Log.With(zap.String("member", name)), ctx: ctx,
		streams: map[string]*stream{}, calls: map[callID]*call{},
	}
	m.mcp = server.NewMCPServer("majordomo", o.Version, server.WithToolCapabilities(true), server.WithRecovery())
	m.http = server.NewStreamableHTTPServer(m.mcp,
		server.WithStreamableHTTPProtocolVersions(mcp.LegacyProtocolVersions()...),
		server.WithSessionIdleTTL(idleSession),
		server.WithHeartbeatInterval(heartbeat),
		server.WithDisableLocalhostProtection(true), // guard has done this
		server.WithStreamableHTTPLogger(slog.New(zapslog.NewHandler(m.log.Core()))),
	)
	return m
}

func (m *member) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost:
		m.post(w, r)
	case http.MethodGet:
		m.stream(w, r)
	case http.MethodDelete:
		m.http.ServeHTTP(w, r)
	default:
		w.Header().Set("Allow", "GET, POST, DELETE")
		http.Error(w, "cannot do this: /mcp takes POST, GET and DELETE", http.StatusMethodNotAllowed)
	}
}

// watch tells every agent of the member when their tools change.
func (m *member) watch() {
	changed := m.door.Changed(m.name)
	for {
		select {
		case <-m.ctx.Done():
			return
		case <-changed:
			// Asked for anew first, so that no change falls in between.
			changed = m.door.Changed(m.name)
			m.mcp.SendNotificationToAllClients("notifications/tools/list_changed", nil)
		}
	}
}

func (m *member) close() {
	if err := m.http.Shutdown(context.Background()); err != nil {
		m.log.Warn("cannot end the sessions of agents", zap.Error(err))
	}
}

// stream is one agent waiting for news.
type stream struct {
	end  context.CancelFunc
	done chan struct{}
}

// stream serves the GET of a session. A newer one replaces it: the agent has
// lost the old one, even if this side has not noticed.
func (m *member) stream(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(m.ctx, cancel)()
	if session := r.Header.Get(sessionHeader); session != "" {
		defer m.replace(session, &stream{end: cancel, done: make(chan struct{})})()
	}
	w.Header().Set("X-Accel-Buffering", "no")
	m.http.ServeHTTP(w, r.WithContext(ctx))
}

// replace makes s the stream of the session, once the one before it has ended,
// and returns what must be called when s ends.
func (m *member) replace(session string, s *stream) (ended func()) {
	m.mu.Lock()
	old := m.streams[session]
	m.streams[session] = s
	m.mu.Unlock()
	if old != nil {
		old.end()
		<-old.done
	}
	return func() {
		m.mu.Lock()
		if m.streams[session] == s {
			delete(m.streams, session)
		}
		m.mu.Unlock()
		close(s.done)
	}
}
