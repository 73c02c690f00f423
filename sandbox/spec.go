package sandbox

// Spec is what to run and what it may see. It is plain data; Validate says what is wrong with it and Start applies it.
//
// The process sees /usr and the usual links into it, a minimal /etc, private /tmp, /dev and /proc, an empty private home at
// /root that its uid owns, the Runtimes, and the Mounts on top. Everything else of the host does not exist for it.
type Spec struct {
	Name string // names the host, the cgroup and the log lines: ^[a-z0-9][a-z0-9._-]{0,63}$

	Argv []string // Argv[0] is a path, or a name looked up in the PATH of Env, inside the sandbox
	Env  []string // the whole environment, KEY=value. PATH and HOME are the caller's to set
	Dir  string   // working directory, as seen inside

	// UID and GID of the process. As root they must not be 0. As an ordinary user they are 0, or the daemon's own.
	UID, GID int

	// Runtimes are interpreter prefixes, such as /root/.pyenv/versions/3.11.7, whose bin, lib, include and share are shown
	// read-only at their own path. Prefixes below /usr are always there.
	Runtimes []string

	Mounts  []Mount // in any order: parents are mounted before their children
	Network Network // "" = none

	// Hosts lists the host:port pairs of NetworkList, each a name or an address.
	Hosts []string
	// AllowPrivate lists host:port pairs that list and open reach although they are private or loopback (registries).
	AllowPrivate []string

	Limits   Limits
	Pool     string  // those with the same one have the Host's Totals together; "" = it is in none
	trial    bool    // runs nothing, and needs nothing made for it
	Required []Layer // layers without which the start is refused, beside those that always are (docs/security.md)
}

// Mount shows one file or directory of the host. It is nosuid and nodev, and read-only unless Writable.
type Mount struct {
	Source string // on the host: absolute, or relative to Beneath. Symbolic links are followed only without Beneath

	// Beneath, when not "", is a directory out of which Source must not lead: no link and no ".." is followed below it. Use it
	// wherever a connector can write to some part of the path.
	Beneath string

	Target   string // inside, absolute. Missing parents are made and belong to the owner of the directory they are made in
	Writable bool
	Counted  bool // what is in it counts towards Limits.Disk and Limits.Inodes
}

// Network is what a connector may reach.
type Network string

const (
	NetworkNone Network = "none" // nothing but its own loopback
	NetworkList Network = "list" // Spec.Hosts over TCP, as long as they are public; no other name is answered
	NetworkOpen Network = "open" // public addresses over TCP; private, loopback and the host's own are refused
)

// Limits of one process tree. A zero field takes the default.
type Limits struct {
	Memory int64   // bytes, 512 MiB
	Pids   int     // processes and threads, 256
	CPU    float64 // cores, 0 = no limit
	Files  uint64  // open descriptors per process, 4096
	Size   uint64  // bytes that any one file may grow to, 0 = no limit
	Disk   int64   // bytes on disk in the Counted mounts, each; 0 = no limit, Unwatched = the caller sees to it
	Inodes int64   // files and directories in them, 0 = no limit
	Tmp    int64   // bytes in each of /tmp, /dev/shm and the private home, 256 MiB; they count as Memory
}

func (l Limits) withDefaults() Limits {
	if l.Memory == 0 {
		l.Memory = 512 << 20
	}
	if l.Pids == 0 {
		l.Pids = 256
	}
	if l.Files == 0 {
		l.Files = 4096
	}
	if l.Tmp == 0 {
		l.Tmp = 256 << 20
	}
	return l
}
