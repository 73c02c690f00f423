package demo

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"majordomo/supervisor/api"
)

// visitLimit bounds all that is done with one connector. The daemon has its own, narrower limits for every part.
const visitLimit = 8 * time.Minute

// visit is one connector's part of the demo.
type visit struct {
	*demo
	script
	release api.Offer
	agent   *agent // connected by listTools
	result  Connector
}

type part struct {
	name string
	do   func(context.Context) (string, error)
}

// visit shows one connector, up to the first part that fails.
func (d *demo) visit(ctx context.Context, s script) Connector {
	ctx, cancel := context.WithTimeoutCause(ctx, visitLimit, fmt.Errorf("it took longer than %v", visitLimit))
	defer cancel()
	none := Sandbox{Layers: []string{}, Missing: []string{}}
	v := &visit{demo: d, script: s, result: Connector{ID: s.id, Tools: []string{}, Sandbox: none}}
	if !v.run(ctx, part{"install", v.install}) || v.skipped() {
		return v.result
	}
	for _, p := range v.parts() {
		if !v.run(ctx, p) {
			break
		}
	}
	if v.agent != nil {
		v.agent.close()
	}
	return v.result
}

func (v *visit) run(ctx context.Context, p part) bool {
	return v.log.run(v.id+": "+p.name, func() (string, error) { return p.do(ctx) })
}

func (v *visit) parts() []part {
	all := []part{{"activate", v.activate}, {"tools", v.listTools}}
	if v.signIn {
		all = append(all, part{"scan the picture", v.scan}, part{"wrong code", v.wrongCode}, part{"right code", v.rightCode})
	}
	return append(all, part{"call", v.callTools}, part{"forbidden reads", v.probe})
}

func (v *visit) install(ctx context.Context) (string, error) {
	r, err := v.control.Release(ctx, v.id)
	if err != nil {
		return "", err
	}
	v.release = r.Offer
	v.result.Version = r.VersionString
	v.result.runtime = v.runtime(r.Offer)
	_, err = v.control.Install(ctx, api.InstallRequest{Connector: v.id}, nil)
	return r.VersionString, err
}

// runtime is what runs the connector, with the version that this host has.
func (d *demo) runtime(r api.Offer) string {
	for _, have := range d.doctor.Runtimes {
		if have.Name == r.Command {
			return have.Name + " " + have.Version
		}
	}
	return r.Command
}

// activate ends with a running connector: ready, or waiting for somebody to sign in.
func (v *visit) activate(ctx context.Context) (string, error) {
	request := api.ActivationRequest{Member: v.member, Connector: v.id}
	a, err := v.control.Activate(ctx, request, nil)
	if err != nil {
		return "", err
	}
	want := "ready"
	if v.signIn {
		want = "pending_login"
	}
	if a.State != want {
		return "", fmt.Errorf("cannot go on: the activation is %s (%s), not %s", a.State, a.Reason, want)
	}
	return a.State, nil
}

// listTools asks at both doors, which have to say the same.
func (v *visit) listTools(ctx context.Context) (string, error) {
	known, err := v.control.Tools(ctx, v.member)
	if err != nil {
		return "", err
	}
	if v.agent, err = v.connect(ctx); err != nil {
		return "", err
	}
	offered, err := v.agent.tools(ctx)
	if err != nil {
		return "", err
	}
	for _, tool := range known {
		if tool.Connector == v.id {
			v.result.Tools = append(v.result.Tools, tool.Name)
		}
	}
	offered = slices.DeleteFunc(offered, func(name string) bool { return !strings.HasPrefix(name, v.tool("")) })
	if len(offered) == 0 || !equalSets(offered, v.result.Tools) {
		return "", fmt.Errorf("cannot make sense of the tools: the control socket lists %v, /mcp lists %v", v.result.Tools, offered)
	}
	return fmt.Sprintf("%d tools", len(offered)), v.hidden()
}

// hidden fails when an agent is offered what belongs to the login panel.
func (v *visit) hidden() error {
	for _, name := range []string{"login_status", "logout"} {
		if slices.Contains(v.result.Tools, v.tool(name)) {
			return fmt.Errorf("cannot allow it: %s is offered to agents", name)
		}
	}
	return nil
}

// tool is the name by which agents see a tool.
func (v *visit) tool(name string) string { return "mcp__" + v.id + "__" + name }

func (v *visit) callTools(ctx context.Context) (string, error) {
	for _, c := range v.calls {
		name := v.tool(c.tool)
		said, err := v.agent.call(ctx, name, c.args)
		if err != nil {
			return "", err
		}
		ok := !said.failed && strings.Contains(said.text, c.want)
		v.result.Sample = Sample{Tool: name, OK: ok, Text: said.text}
		if !ok {
			return "", fmt.Errorf("cannot accept what %s answered: %q, without %q", name, said.text, c.want)
		}
	}
	if v.after != nil {
		return oneLine(v.result.Sample.Text), v.after(v)
	}
	return oneLine(v.result.Sample.Text), nil
}

func equalSets(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
