// Package metrics shows what the daemon does in the text format of Prometheus.
//
// Names of members and connectors are labels, so it answers admins only: whoever shows an agent token of a member who is
// one. It counts and never decides. It owns no goroutine, and its registry is its own.
package metrics

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"majordomo/supervisor"
)

// Metrics is a supervisor.Meter and an http.Handler. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry

	starts   *prometheus.HistogramVec
	failures *prometheus.CounterVec
	restarts *prometheus.CounterVec
	calls    *prometheus.HistogramVec
	bytes    *prometheus.CounterVec
}

// New makes a Metrics that counts nothing yet.
func New(version string) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		starts: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "majordomo_start_seconds", Help: "From the start of a connector's process to its tools listed, or to its failure.",
			Buckets: []float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60},
		}, []string{"ok"}),
		failures: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "majordomo_failures_total", Help: "Starts that failed and processes that ended by themselves, by kind of cause.",
		}, []string{"cause"}),
		restarts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "majordomo_restarts_total", Help: "Starts that follow a failure by themselves, by its kind of cause.",
		}, []string{"cause"}),
		calls: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "majordomo_call_seconds", Help: "Calls that reached a connector, by what became of them.",
			Buckets: []float64{.001, .005, .025, .1, .5, 1, 5, 15, 60, 300},
		}, []string{"outcome"}),
		bytes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "majordomo_call_bytes_total", Help: "Bytes of arguments sent to connectors and of results received from them.",
		}, []string{"direction"}),
	}
	m.registry.MustRegister(m.starts, m.failures, m.restarts, m.calls, m.bytes,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "majordomo_build_info", Help: "1, with the version.", ConstLabels: prometheus.Labels{"version": version},
	})
	build.Set(1)
	m.registry.MustRegister(build)
	for _, kind := range supervisor.CauseKinds() { // so that they are there before the first
		m.failures.WithLabelValues(string(kind))
		m.restarts.WithLabelValues(string(kind))
	}
	return m
}

// Watch also shows the instances, as they are whenever somebody asks. It is called once.
func (m *Metrics) Watch(status func() []supervisor.Instance) {
	m.registry.MustRegister(instances{status})
}

// ServeHTTP shows everything. Whoever calls it has made sure that the client may see it.
func (m *Metrics) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}).ServeHTTP(w, r)
}

// Started counts a start.
func (m *Metrics) Started(took time.Duration, ok bool) {
	label := "false"
	if ok {
		label = "true"
	}
	m.starts.WithLabelValues(label).Observe(took.Seconds())
}

// Failed counts a failure.
func (m *Metrics) Failed(kind supervisor.CauseKind) { m.failures.WithLabelValues(string(kind)).Inc() }

// Restarted counts a try that follows a failure.
func (m *Metrics) Restarted(kind supervisor.CauseKind) {
	m.restarts.WithLabelValues(string(kind)).Inc()
}

// Called counts a call.
func (m *Metrics) Called(took time.Duration, outcome supervisor.Outcome, sent, received int) {
	m.calls.WithLabelValues(string(outcome)).Observe(took.Seconds())
	m.bytes.WithLabelValues("sent").Add(float64(sent))
	m.bytes.WithLabelValues("received").Add(float64(received))
}
