// Package demo is Majordomo's main job as a newcomer can watch it: a daemon on a state directory of its own, and every
// connector of the example feed installed, activated, called, and made to try what its sandbox forbids.
//
//	Run ─ start the daemon ─ member, token ─┬─ visit notes      install → activate → tools → call → forbidden reads
//	                                        ├─ visit pairing    … and sign in by QR code
//	                                        └─ …                one goroutine each
//	     ─ restart the daemon ─ report, table ─ serve, or stop and clean up
//
// It goes through the same control socket and the same /mcp as everybody, and must never reach into a room behind the
// daemon's back: what it shows is what people get. All of its goroutines have ended when Run returns.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"majordomo/configs"
	"majordomo/supervisor/api"
)

// Options of Run. Out and Err are demanded.
type Options struct {
	Program string // the majordomo that is started as the daemon; "" = this program
	State   string // state directory to use and leave behind; "" = a temporary one
	Strict  bool   // a connector that has to be skipped is a failure
	JSON    bool   // print the report, and nothing else, on Out
	Serve   bool   // go on serving after the report until ctx ends

	Out, Err io.Writer
}

// ErrFailed means that the report says so; what failed was printed.
var ErrFailed = errors.New("the demo failed")

// Run plays the demo and prints it. It blocks until it is through, with Serve until ctx ends. When it returns, the
// daemon has stopped and the temporary files are gone. An error other than ErrFailed means that it could not begin.
func Run(ctx context.Context, o Options) error {
	d, err := begin(o)
	if err != nil {
		return fmt.Errorf("cannot begin the demo: %w", err)
	}
	defer d.place.remove()
	connectors := d.play(ctx)
	serving := o.Serve && d.server != nil
	if !serving {
		d.stop()
	}
	r := d.report(connectors)
	if err := r.print(o); err != nil {
		return err
	}
	if serving {
		d.serve(ctx)
		d.stop()
	}
	if !r.OK {
		return ErrFailed
	}
	return nil
}

// demo is one run. What play has set up is only read by the visits.
type demo struct {
	Options
	place   place
	log     *steps
	server  *daemon
	control *api.Client

	listen        string // address of /mcp, anew with every start
	member, token string
	doctor        api.Doctor
}

func begin(o Options) (*demo, error) {
	p, err := newPlace(o.State)
	if err != nil {
		return nil, err
	}
	watch := o.Out
	if o.JSON {
		watch = o.Err
	}
	control := api.NewClient(configs.Paths{State: p.state}.Socket())
	return &demo{Options: o, place: p, log: &steps{out: watch}, control: control}, nil
}

// play runs all steps up to the restart of the daemon; a failed step ends what depends on it.
func (d *demo) play(ctx context.Context) []Connector {
	if !d.log.run("daemon starts", func() (string, error) { return d.start(ctx) }) ||
		!d.log.run("member and token", func() (string, error) { return d.admit(ctx) }) ||
		!d.log.run("what the host can do", func() (string, error) { return d.examine(ctx) }) {
		return nil
	}
	connectors := make([]Connector, len(scripts))
	var visits sync.WaitGroup
	for i, s := range scripts {
		visits.Go(func() { connectors[i] = d.visit(ctx, s) })
	}
	visits.Wait()
	d.restart(ctx, connectors)
	return connectors
}

// admit adds a member that nobody was before, so that a kept state directory can be used again: its packages and trees
// are shared, everything else is the member's own.
func (d *demo) admit(ctx context.Context) (string, error) {
	household, err := d.control.Members(ctx)
	if err != nil {
		return "", err
	}
	d.member = fmt.Sprintf("demo%d", len(household)+1)
	if _, err := d.control.AddMember(ctx, api.Member{Name: d.member}); err != nil {
		return "", err
	}
	token, err := d.control.CreateToken(ctx, api.TokenRequest{Member: d.member, Name: "demo"})
	d.token = token.Token
	return d.member, err
}

func (d *demo) examine(ctx context.Context) (note string, err error) {
	if d.doctor, err = d.control.Doctor(ctx, false); err != nil {
		return "", err
	}
	note = fmt.Sprintf("%d sandbox layers", len(d.doctor.Layers))
	for _, m := range d.doctor.Missing {
		note += fmt.Sprintf("; without %s: %s", m.Layer, m.Reason)
	}
	for _, r := range d.doctor.Registries {
		if !r.Reachable {
			note += fmt.Sprintf("; the %s registry cannot be reached", r.Name)
		}
	}
	return note, nil
}
