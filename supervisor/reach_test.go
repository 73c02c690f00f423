package supervisor

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"majordomo/configs/manifest"
	"majordomo/sandbox/egress"
)

// What a person says counts, then what the connector declares; what is not said again stays, also over a restart of the daemon.
func TestEgress(t *testing.T) {
	h := newHouse(t)
	defer func() { h.close() }()
	h.offer(manifest.Release{ID: "mail", Egress: []string{"api.test:443"}})
	declared := egress.Policy{Mode: egress.List, Hosts: []string{"api.test:443"}}
	nas := []string{"nas.lan:445"}
	for _, step := range []struct {
		why, connector, say string
		allow               []string
		want                egress.Policy
	}{
		{"nothing is said or declared", "notes", "", nil, egress.Policy{Mode: egress.Open}},
		{"declared", "mail", "", nil, declared},
		{"said", "mail", "list:imap.test:993,smtp.test", nil, egress.Policy{Mode: egress.List, Hosts: []string{"imap.test:993", "smtp.test:443"}}},
		{"said before", "mail", "", nil, egress.Policy{Mode: egress.List, Hosts: []string{"imap.test:993", "smtp.test:443"}}},
		{"granted", "mail", "default", nas, egress.Policy{Mode: egress.List, Hosts: declared.Hosts, AllowPrivate: nas}},
		{"granted before", "mail", "open", nil, egress.Policy{Mode: egress.Open, AllowPrivate: nas}},
		{"taken back", "mail", "none", []string{}, egress.Policy{Mode: egress.None}},
	} {
		if _, err := h.Activate(t.Context(), Request{Member: "ann", Connector: step.connector, Egress: step.say, AllowPrivate: step.allow}); err != nil {
			t.Errorf("%s: %v", step.why, err)
		}
		if d := cmp.Diff(step.want, h.last().plan.Egress); d != "" {
			t.Errorf("%s: %s", step.why, d)
		}
		if step.connector != "mail" {
			if err := h.Deactivate(t.Context(), "ann", step.connector); err != nil {
				t.Error(err)
			}
		}
	}
	h.close()
	h.open()
	act, err := h.activated(t.Context(), "ann", "mail")
	if err != nil || act.Egress.Mode != egress.None {
		t.Errorf("remembered %+v (%v)", act.Egress, err)
	}
	for _, bad := range []Request{{Egress: "lan"}, {Egress: "list:*.test:443"}, {Egress: "list:"}, {Egress: "open:a"}, {AllowPrivate: []string{"nas"}},
		{Egress: "none", AllowPrivate: nas}} {
		bad.Member, bad.Connector = "ann", "mail"
		var invalid *Invalid
		if _, err := h.Activate(t.Context(), bad); !errors.As(err, &invalid) {
			t.Errorf("%+v: error %v", bad, err)
		}
	}
}
