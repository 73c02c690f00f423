package main

import (
	"context"
	"errors"
	"net/http"
	"time"

	"go.uber.org/zap"
)

// agentServer answers on the TCP address: /mcp for agents, and two questions for whoever watches the process. Anything
// else does not exist.
func agentServer(d *daemon, log *zap.Logger) *http.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "alive") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if d.ready.Load() {
			answer(w, http.StatusOK, "ready")
		} else {
			answer(w, http.StatusServiceUnavailable, "not ready")
		}
	})
	return &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, ErrorLog: zap.NewStdLog(log.Named("web"))}
}

func answer(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	_, _ = w.Write([]byte(text + "\n"))
}

// closeWeb lets requests in flight finish for a moment, then cuts them.
func (d *daemon) closeWeb(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, drain)
	defer cancel()
	err := errors.Join(d.web.Shutdown(ctx), d.agents.Close())
	if err != nil {
		return d.web.Close()
	}
	return nil
}

// drain is how long an agent's call may still run when the daemon stops.
const drain = 3 * time.Second

func (d *daemon) closeControl(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, drain)
	defer cancel()
	err := d.api.Close(ctx)
	_ = d.control.Close() // closed already, unless the server never began
	return err
}
