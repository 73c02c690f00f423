package initproc

import "majordomo/sandbox/egress/inside"

// How each type lies in a packet.

// Marshal makes the packet that carries a Config.
func (c *Config) Marshal() []byte {
	var p packet
	c.lay(&p)
	return p.data
}

func (c *Config) unmarshal(data []byte) error {
	p := packet{rest: string(data), reading: true}
	c.lay(&p)
	return p.finish()
}

func (c *Config) lay(p *packet) {
	text(p, &c.Name)
	text(p, &c.Dir)
	texts(p, &c.Argv, &c.Env)
	number(p, &c.UID)
	number(p, &c.GID)
	number(p, &c.Clone)
	p.flags(&c.UserNS, &c.Confine, &c.Contained, &c.ByUID, &c.SharedUID)
	c.View.lay(p)
	list(p, &c.HostTree, layBind)
	layPlan(p, &c.Net)
	list(p, &c.Rlimits, layRlimit)
	text(p, &c.Filter)
}

func (v *View) lay(p *packet) {
	text(p, &v.HostMounts)
	list(p, &v.Tmpfs, layTmpfs)
	list(p, &v.Files, layFile)
	list(p, &v.Links, layLink)
	list(p, &v.Binds, layBind)
	texts(p, &v.Dirs, &v.Hide, &v.ReadOnly)
}

func layTmpfs(p *packet, t *Tmpfs) {
	text(p, &t.Path)
	number(p, &t.Size)
	number(p, &t.Mode)
	p.flags(&t.Owned)
}

func layFile(p *packet, f *File) {
	text(p, &f.Path)
	text(p, &f.Text)
}

func layLink(p *packet, l *Link) {
	text(p, &l.Path)
	text(p, &l.To)
}

func layBind(p *packet, b *Bind) {
	text(p, &b.Source)
	text(p, &b.Beneath)
	text(p, &b.Target)
	p.flags(&b.Writable, &b.Device, &b.Optional)
}

func layPlan(p *packet, n *inside.Plan) {
	p.flags(&n.Serve)
	list(p, &n.Listen, layEndpoint)
	list(p, &n.Redirect, text[[]byte])
	list(p, &n.Ports, number[uint16])
}

func layEndpoint(p *packet, e *inside.Endpoint) {
	text(p, &e.IP)
	number(p, &e.Port)
}

func layRlimit(p *packet, l *Rlimit) {
	number(p, &l.Resource)
	number(p, &l.Value)
}

func (m *Message) marshal() []byte {
	p := packet{data: make([]byte, 0, 1<<10)}
	m.lay(&p)
	return p.data
}

// Unmarshal reads the packet that carries a Message.
func (m *Message) Unmarshal(data []byte) error {
	p := packet{rest: string(data), reading: true}
	m.lay(&p)
	return p.finish()
}

func (m *Message) lay(p *packet) {
	p.flags(&m.Running)
	if optional(p, &m.Applied) {
		m.Applied.lay(p)
	}
	if optional(p, &m.Exit) {
		number(p, &m.Exit.Code)
		number(p, &m.Exit.Signal)
	}
	if optional(p, &m.Failed) {
		text(p, &m.Failed.Layer)
		text(p, &m.Failed.Error)
	}
}

// optional reports whether there is a value, and makes room for one that is read.
func optional[T any](p *packet, value **T) bool {
	there := *value != nil
	p.flags(&there)
	if there && p.reading {
		*value = new(T)
	}
	return there
}

func (a *Applied) lay(p *packet) {
	texts(p, &a.Layers)
	table(p, &a.Missing)
	table(p, &a.Notes)
	p.flags(&a.Sockets.Redirect)
	text(p, &a.Sockets.Reason)
}
