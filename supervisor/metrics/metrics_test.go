package metrics

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"majordomo/sandbox"
	"majordomo/supervisor"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestShows(t *testing.T) {
	m := New("1.2.3")
	m.Watch(func() []supervisor.Instance {
		return []supervisor.Instance{
			{Member: "ann", Connector: "notes", State: supervisor.Serving, PID: 7, Usage: sandbox.Usage{Memory: 1 << 20, CPU: 1500 * time.Millisecond}, Noise: 3},
			{Member: "ann", Connector: "mail", State: supervisor.Failed},
		}
	})
	m.Started(300*time.Millisecond, true)
	m.Failed(supervisor.CauseOOM)
	m.Restarted(supervisor.CauseOOM)
	m.Called(20*time.Millisecond, supervisor.CallAnswered, 10, 2000)
	w := httptest.NewRecorder()
	m.ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	for _, want := range []string{
		`majordomo_build_info{version="1.2.3"} 1`,
		`majordomo_instances{state="ready"} 1`, `majordomo_instances{state="failed"} 1`, `majordomo_instances{state="idle"} 0`,
		`majordomo_connector_memory_bytes{connector="notes",member="ann"} 1.048576e+06`,
		`majordomo_connector_cpu_seconds_total{connector="notes",member="ann"} 1.5`,
		`majordomo_connector_noise_lines_total{connector="notes",member="ann"} 3`,
		`majordomo_connector_up{connector="mail",member="ann"} 0`,
		`majordomo_start_seconds_count{ok="true"} 1`, `majordomo_start_seconds_bucket{ok="true",le="0.5"} 1`,
		`majordomo_failures_total{cause="oom"} 1`, `majordomo_failures_total{cause="signal"} 0`, `majordomo_restarts_total{cause="oom"} 1`,
		`majordomo_call_seconds_count{outcome="answered"} 1`,
		`majordomo_call_bytes_total{direction="received"} 2000`, `majordomo_call_bytes_total{direction="sent"} 10`,
		`go_goroutines `, `process_open_fds `,
	} {
		if !strings.Contains(w.Body.String(), "\n"+want) {
			t.Errorf("does not show %s", want)
		}
	}
}
