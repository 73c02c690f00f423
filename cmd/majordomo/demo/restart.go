package demo

import (
	"context"
	"fmt"
	"slices"
)

// restart stops and starts the daemon: what a member has signed in to must still be so, without another scan.
func (d *demo) restart(ctx context.Context, connectors []Connector) {
	i := slices.IndexFunc(connectors, func(c Connector) bool { return c.ID == "pairing" && c.Sample.OK })
	if i < 0 {
		return // it has failed already, and says why
	}
	stopped := d.log.run("daemon stops for a restart", func() (string, error) { return "", d.end() })
	d.server = nil
	if stopped && d.log.run("daemon starts again", func() (string, error) { return d.start(ctx) }) {
		d.log.run("pairing: still signed in", func() (string, error) { return d.remembered(ctx, connectors[i].Sample) })
	}
}

// remembered asks the connector itself, which has nothing but its session on disk.
func (d *demo) remembered(ctx context.Context, before Sample) (string, error) {
	v := &visit{demo: d, script: script{id: "pairing"}}
	l, err := v.settled(ctx)
	if err != nil {
		return "", err
	}
	if l.State != paired || l.QR != "" {
		return "", fmt.Errorf("cannot find the session: after the restart the state is %s: %s", l.State, l.Message)
	}
	a, err := d.connect(ctx)
	if err != nil {
		return "", err
	}
	defer a.close()
	now, err := a.call(ctx, before.Tool, nil)
	if err == nil && now.text != before.Text {
		err = fmt.Errorf("cannot find the session: before the restart it said %q, now %q", before.Text, now.text)
	}
	return now.text, err
}
