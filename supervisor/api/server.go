package api

import (
	"context"
	"net"
	"net/http"

	"go.uber.org/zap"

	"majordomo/configs"
	"majordomo/deps"
	"majordomo/deps/delivery"
	"majordomo/install"
	"majordomo/install/feed"
	"majordomo/sandbox"
	"majordomo/sandbox/runtimes"
	"majordomo/supervisor"
)

// Agents speaks MCP for a member; *gateway.Gateway does.
type Agents interface {
	ServeMember(w http.ResponseWriter, r *http.Request, member string)
}

// Options of a Server. All but Log are needed.
type Options struct {
	Supervisor *supervisor.Supervisor
	Agents     Agents
	Installer  *install.Installer
	Trees      *deps.Builder
	Delivery   *delivery.Deliverer
	Feed       *feed.Feed
	Sandbox    *sandbox.Host
	Runtimes   *runtimes.Finder
	Paths      configs.Paths
	Version    Version
	Listen     string             // the real address of /mcp
	Config     func() ConfigState // nil = it is never read again
	Log        *zap.Logger
}

// Server answers the control socket. Its methods are safe for concurrent use.
type Server struct {
	o    Options
	http http.Server
	stop context.CancelFunc // ends every request
}

// NewServer makes a Server that does not listen yet.
func NewServer(o Options) *Server {
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Server{o: o, stop: stop}
	s.http = http.Server{
		Handler:           s.handler(),
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ConnContext:       withPeer,
		ReadHeaderTimeout: readHeaderTimeout,
		ErrorLog:          zap.NewStdLog(o.Log),
	}
	return s
}

// Serve answers what comes in on l, a socket made by Listen, until Close.
func (s *Server) Serve(l net.Listener) error {
	if err := s.http.Serve(l); err != http.ErrServerClosed {
		return err
	}
	return nil
}

// Close takes no more requests, ends the running ones and waits for their handlers until ctx ends.
func (s *Server) Close(ctx context.Context) error {
	s.stop()
	if err := s.http.Shutdown(ctx); err != nil {
		return s.http.Close()
	}
	return nil
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	for _, r := range routes() {
		mux.HandleFunc(r.pattern, func(w http.ResponseWriter, req *http.Request) { s.answer(r, w, req) })
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, req *http.Request) {
		writeError(w, Errorf(NotFound, "cannot answer %s %s: there is no such route; is the daemon of another version?", req.Method, req.URL.Path))
	})
	return mux
}

// answer is the door every request passes: who is it, may they ask, and then the handler.
func (s *Server) answer(route route, w http.ResponseWriter, req *http.Request) {
	caller, err := s.caller(req.Context())
	if err == nil {
		err = route.may.permit(caller)
	}
	if err == nil {
		req.Body = http.MaxBytesReader(w, req.Body, maxRequest)
		err = route.handle(s, w, &request{Request: req, caller: caller})
	}
	if err != nil {
		s.o.Log.Debug("request failed", zap.String("route", route.pattern), zap.Int("uid", caller.UID), zap.Error(err))
		writeError(w, asError(err))
	}
}

// caller says who asks.
func (s *Server) caller(ctx context.Context) (supervisor.Caller, error) {
	uid, err := peerUID(ctx)
	if err != nil {
		return supervisor.Caller{UID: -1}, err
	}
	return s.o.Supervisor.Identify(ctx, uid)
}
