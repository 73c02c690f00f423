package initproc

import (
	"majordomo/sandbox/egress/inside"
)

// Name is argv[0] of an init.
const Name = "majordomo-init"

// Request is a packet that the daemon sends after the Config.
type Request string

const (
	Go   Request = "go"   // execute the connector: what Applied says will do
	Term Request = "term" // send it SIGTERM
	End  Request = "end"  // end it and all that it has started, at once
)

// KillOthers as argv[1] makes an init that confines and starts nothing: it kills every process of the uid it was started with, and exits.
const KillOthers = "kill"

// ControlFD is the descriptor of the control socket (SOCK_SEQPACKET): a Config and Requests to the init, and Messages from it, one to a packet.
const ControlFD = 3

// MaxPacket bounds a packet. It is well below the default socket buffer, so that a packet is sent whole or not at all.
const MaxPacket = 160 << 10

// Config is the first packet the daemon sends: everything the init is to do.
type Config struct {
	Name      string // host name
	Argv, Env []string
	Dir       string
	UID, GID  int
	UserNS    bool   // the privileges come from a user namespace: the uid is right already, groups cannot be dropped
	Confine   bool   // false = driver none: only environment, descriptors and session
	Contained bool   // in a container, whose engine has made the view and the host name; the daemon's end is seen by the control socket
	Clone     uint64 // flags of the namespaces it was born into: what needs another one is left out
	ByUID     bool   // without a pid namespace the init ends by the uid what the connector left
	SharedUID bool   // another sandbox of this daemon has the uid too
	View      View   // of its own mount namespace (of a container: what of it may be written), or
	HostTree  []Bind // what may be opened of the host's tree, by Source and Beneath; a Device may be written to
	Net       inside.Plan
	Rlimits   []Rlimit
	Filter    []byte // seccomp program
}

func (c Config) in(namespace uint64) bool { return c.Clone&namespace != 0 }

// View is the file tree to build. Paths are as seen inside.
type View struct {
	HostMounts string  // the daemon's mount namespace, as /proc names it: the init refuses to build there
	Tmpfs      []Tmpfs // mounted first, in this order
	Dirs       []string
	Files      []File
	Links      []Link
	Binds      []Bind   // in this order, a parent before its children
	Hide       []string // covered by something empty, where it exists
	ReadOnly   []string // made read-only, where it exists
}

// Tmpfs is an empty directory in memory.
type Tmpfs struct {
	Path  string
	Size  int64
	Mode  uint32
	Owned bool // by the connector's uid
}

// File is a generated file, 0644.
type File struct{ Path, Text string }

// Link is a symbolic link.
type Link struct{ Path, To string }

// Bind shows something of the host.
type Bind struct {
	Source, Beneath, Target string
	Writable                bool
	Device                  bool // may be used as a device
	Optional                bool // left out where the host does not have it
}

// Rlimit is one resource limit, soft and hard.
type Rlimit struct {
	Resource int
	Value    uint64
}

// Message is what the init sends: at most one of its fields is set.
type Message struct {
	Applied *Applied // everything is in force; waits for Go
	Running bool     // the connector was executed
	Exit    *Exit    // the connector ended; the last packet
	Failed  *Failed  // nothing was started; the last packet
}

// Applied lists what was done. The descriptors of Sockets travel with the packet.
type Applied struct {
	Layers  []string
	Missing map[string]string // optional layer → reason
	Notes   map[string]string // layer in force → what is less about it than usual
	Sockets inside.Sockets
}

// Exit is how the connector ended.
type Exit struct {
	Code   int // -1 when a signal ended it
	Signal int
}

// Failed is why nothing was started.
type Failed struct {
	Layer string // "" = not a layer: the program itself, its working directory, a limit
	Error string
}
