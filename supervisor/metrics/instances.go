package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"majordomo/supervisor"
)

var (
	byState = prometheus.NewDesc("majordomo_instances", "Instances by state.", []string{"state"}, nil)
	memory  = describe("memory_bytes", "Memory of a connector and what it started, where control groups count it.")
	cpu     = describe("cpu_seconds_total", "Processor time of a connector since its start, where control groups count it.")
	noise   = describe("noise_lines_total", "Lines on a connector's standard output that are not protocol.")
	up      = describe("up", "1 = the connector can be called.")
)

func describe(name, help string) *prometheus.Desc {
	return prometheus.NewDesc("majordomo_connector_"+name, help, []string{"member", "connector"}, nil)
}

// instances is a collector of what the status says.
type instances struct{ status func() []supervisor.Instance }

func (instances) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{byState, memory, cpu, noise, up} {
		out <- d
	}
}

func (c instances) Collect(out chan<- prometheus.Metric) {
	states := map[supervisor.State]float64{}
	for _, s := range supervisor.States() {
		states[s] = 0
	}
	for _, i := range c.status() {
		states[i.State]++
		show := func(d *prometheus.Desc, kind prometheus.ValueType, value float64) {
			out <- prometheus.MustNewConstMetric(d, kind, value, i.Member, i.Connector)
		}
		callable := 0.0
		if i.PID != 0 {
			callable = 1
		}
		show(up, prometheus.GaugeValue, callable)
		show(memory, prometheus.GaugeValue, float64(i.Usage.Memory))
		show(cpu, prometheus.CounterValue, i.Usage.CPU.Seconds())
		show(noise, prometheus.CounterValue, float64(i.Noise))
	}
	for state, n := range states {
		out <- prometheus.MustNewConstMetric(byState, prometheus.GaugeValue, n, string(state))
	}
}
