package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"majordomo/sandbox/selftest"
)

// SelfCheck is one attempt of the self-test: something that a sandbox must not permit, really tried inside one.
type SelfCheck struct {
	Layer   Layer  `json:"layer"`
	Attempt string `json:"attempt"`
	Held    bool   `json:"held"`
	Said    string `json:"said"` // what the attempt was answered, or why it was not to be expected that anything holds it
}

// SelfTest starts a program in a sandbox like a connector's and has it try what must not be possible. Where a layer is missing, and known to
// be, what it would have held counts as held and Said says why it was not. The error is for a test that could not be made.
func (h *Host) SelfTest(ctx context.Context) ([]SelfCheck, error) {
	checks, err := h.selfTest(ctx)
	if err != nil {
		return nil, fmt.Errorf("cannot test the sandbox: %w", err)
	}
	return checks, nil
}

func (h *Host) selfTest(ctx context.Context) ([]SelfCheck, error) {
	t, release, err := h.prepareTargets()
	if err != nil {
		return nil, err
	}
	defer release()
	s, err := h.selfTestSpec(t)
	if err != nil {
		return nil, err
	}
	p, err := h.Start(ctx, s)
	if err != nil {
		return nil, err
	}
	out, err := finish(ctx, p)
	if err != nil {
		return nil, err
	}
	var results []selftest.Result
	if err := json.Unmarshal(out, &results); err != nil || len(results) == 0 {
		return nil, fmt.Errorf("its program ended with %+v and said %q", p.Exit(), out)
	}
	return compare(results, p.Report())
}

// finish returns what the program printed.
func finish(ctx context.Context, p *Process) ([]byte, error) {
	defer func() {
		p.Stop(ctx, Grace{})
		_, _ = p.Stdout.Close(), p.Stderr.Close()
	}()
	_ = p.Stdin.Close()
	stop := context.AfterFunc(ctx, p.Kill)
	defer stop()
	out, err := io.ReadAll(io.LimitReader(p.Stdout, 1<<20))
	if err == nil {
		<-p.Done()
		err = ctx.Err()
	}
	return out, err
}

// compare judges each attempt by the layers that are in force.
func compare(results []selftest.Result, r Report) (checks []SelfCheck, err error) {
	for _, got := range results {
		if got.Layer == selftest.Control {
			if got.Error != "" {
				return nil, fmt.Errorf("its program could not even do what it may: %s: %s", got.Attempt, got.Error)
			}
			continue
		}
		c := SelfCheck{Layer: Layer(got.Layer), Attempt: got.Attempt, Held: got.Error != "", Said: got.Error}
		if !c.Held && !r.holds(c.Layer) {
			c.Held, c.Said = true, "nothing holds it here: the layer is missing"
		}
		checks = append(checks, c)
	}
	return checks, nil
}

func (h *Host) selfTestSpec(t selftest.Target) (Spec, error) {
	self, err := os.Executable()
	if err != nil {
		return Spec{}, err
	}
	const control = "/opt/majordomo-control"
	arg, err := json.Marshal(t)
	if err != nil {
		return Spec{}, err
	}
	s := Spec{
		Name: "self-test", Argv: []string{"/opt/majordomo", selftest.Name, string(arg)}, Dir: "/usr", Env: []string{"PATH=/usr/bin:/bin", selftest.ControlVariable + "=" + control},
		UID: selfTestUID, GID: selfTestUID, Network: NetworkOpen,
		Mounts: []Mount{{Source: self, Target: "/opt/majordomo"}, {Source: filepath.Join(filepath.Dir(t.Secret), "control"), Target: control}},
	}
	if !h.Report().Has(Net) {
		s.Network = NetworkNone
	}
	s.Limits.Disk = Unwatched
	return s.withOwnIDs(), nil
}

// selfTestUID runs nothing else. It is not nobody's, whose processes might be ended with it.
const selfTestUID = 65533
