package sandbox

// Layer is one thing that confines a connector. The names are fixed: configuration, status and documentation use them.
type Layer string

// The layers, in the order they are shown.
const (
	Env         Layer = "env"          // the environment is the Spec's, nothing of the daemon's
	FDs         Layer = "fds"          // no descriptor but stdin, stdout, stderr
	Session     Layer = "session"      // a session of its own, no terminal
	UID         Layer = "uid"          // a uid that is not the daemon's, no groups
	Caps        Layer = "caps"         // no capability in any set
	NoNewPrivs  Layer = "no_new_privs" // setuid programs gain nothing
	Seccomp     Layer = "seccomp"      // system-call filter
	MountView   Layer = "mount"        // a root directory of its own
	Landlock    Layer = "landlock"     // file rules beneath the mounts, or in place of them
	PIDs        Layer = "pid"          // sees and signals its own processes only; they all die with its init
	IPC         Layer = "ipc"          // no shared memory or queues with the host
	UTS         Layer = "uts"          // a host name of its own
	Net         Layer = "net"          // a network of its own
	Egress      Layer = "egress"       // what leaves that network passes the daemon's policy
	MemoryLimit Layer = "memory"
	PIDLimit    Layer = "pids"
	CPULimit    Layer = "cpu"
	Disk        Layer = "disk" // how much it may write to its own directory
)

// Layers lists every layer in the order they are shown.
func Layers() []Layer {
	return []Layer{
		Env, FDs, Session, UID, Caps, NoNewPrivs, Seccomp, MountView, Landlock, PIDs, IPC, UTS, Net, Egress,
		MemoryLimit, PIDLimit, CPULimit, Disk,
	}
}
