package api

import (
	"cmp"
	"sync"
	"time"

	"majordomo/install"
	"majordomo/sandbox"
	"majordomo/supervisor"
)

// Lists are [] on the wire, never null.

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func notes(n map[sandbox.Layer]string) map[sandbox.Layer]string {
	if n == nil {
		return map[sandbox.Layer]string{}
	}
	return n
}

func each[A, B any](list []A, f func(A) B) []B {
	out := make([]B, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}

func packageOf(p install.Package) Package {
	return Package{
		ID: p.Release.ID, Name: p.Release.Name, Version: p.Release.Version, VersionString: p.Release.VersionString,
		InstalledAt: p.InstalledAt, Digest: p.Digest.String(),
	}
}

// installing makes wire progress of what an install reports.
func installing(e install.Event) Progress {
	p := Progress{Phase: e.Phase}
	if e.Phase != install.PhaseDownload {
		return p
	}
	p.Files, p.FilesTotal, p.Bytes, p.BytesTotal = e.Files, e.FilesTotal, e.Bytes, e.BytesTotal
	p.ETAMS = e.ETA.Milliseconds()
	if e.Percent >= 0 {
		p.Percent = &e.Percent
	}
	return p
}

func working(p supervisor.Progress) Progress {
	return Progress{Phase: p.Phase, Message: p.Message, Detail: p.Detail}
}

// timed adds how long each step has taken. What it returns may be called from several goroutines.
func timed(report func(Progress)) func(Progress) {
	var mu sync.Mutex // protects what follows, and keeps reports apart
	var step Progress
	var begun time.Time
	return func(p Progress) {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); p.Phase != step.Phase || p.Message != step.Message {
			step, begun = p, now
		}
		p.ElapsedMS = time.Since(begun).Milliseconds()
		report(p)
	}
}

func activationOf(a supervisor.Activation) Activation {
	return Activation{
		ID: a.ID, Activation: a.Number, Name: a.Name, State: string(a.State), Reason: a.Reason, AuthState: a.AuthState,
		Tools: each(a.Tools, toolOf), Egress: cmp.Or(a.Egress.String(), "default"), AllowPrivate: orEmpty(a.Egress.AllowPrivate),
	}
}

func toolOf(t supervisor.Tool) Tool {
	return Tool{Name: t.Name, Title: t.Title, Connector: t.Connector, Description: t.Description, InputSchema: t.InputSchema}
}

func causeOf(c *supervisor.Cause) *Cause {
	if c == nil {
		return nil
	}
	return &Cause{Kind: string(c.Kind), Text: c.Text, Next: c.Next, Said: orEmpty(c.Said), At: c.At}
}

func stopOf(s *supervisor.LastStop) *Stop {
	if s == nil {
		return nil
	}
	return &Stop{At: s.At, Stage: string(s.Stage), Why: s.Why}
}

func instance(i supervisor.Instance, wanted supervisor.Activation) Instance {
	out := Instance{
		Member: i.Member, Connector: i.Connector, State: string(i.State), PID: i.PID, Generation: i.Generation,
		Restarts: i.Restarts, Tools: i.Tools, UptimeMS: i.Uptime.Milliseconds(),
		Cause: causeOf(i.Cause), Stopped: i.Stopped, LastStop: stopOf(i.LastStop),
		Memory: i.Usage.Memory, CPUMS: i.Usage.CPU.Milliseconds(), Saved: i.Saved, Development: i.Development,
		ActivationState: string(wanted.State), Reason: wanted.Reason,
		Sandbox: Sandbox{
			Layers:  each(i.Sandbox.InForce, func(l sandbox.Layer) string { return string(l) }),
			Missing: each(i.Sandbox.Missing, func(m sandbox.Missing) string { return string(m.Layer) }),
			Egress:  i.Sandbox.Egress,
			Why:     orEmpty(i.Sandbox.Missing),
			Notes:   notes(i.Sandbox.Notes),
		},
		Egress: Egress{Hosts: orEmpty(i.Contacts)},
	}
	if i.Cause != nil {
		out.LastError = i.Cause.Text
	}
	if !i.RetryAt.IsZero() {
		out.RetryInMS = max(time.Until(i.RetryAt).Milliseconds(), 1)
	}
	return out
}
