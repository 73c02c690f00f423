package daemon

import (
	"net/http"
	"time"

	"go.uber.org/zap"
)

const headerPatience = 10 * time.Second

// newWeb answers on the TCP address: /mcp for agents, metrics for admins, and two questions for whoever watches the process. Anything else
// does not exist.
func newWeb(g *gate, agents, metrics http.Handler, log *zap.Logger) *http.Server {
	mux := http.NewServeMux()
	mux.Handle("/mcp", g.guard(agents))
	mux.Handle("GET /metrics", g.guard(metrics))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "alive") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if g.ready() {
			answer(w, http.StatusOK, "ready")
		} else {
			answer(w, http.StatusServiceUnavailable, "not ready")
		}
	})
	return &http.Server{Handler: mux, ReadHeaderTimeout: headerPatience, ErrorLog: zap.NewStdLog(log.Named("web"))}
}

func answer(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	_, _ = w.Write([]byte(text + "\n"))
}
