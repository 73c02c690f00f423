// Package configs is everything that is written down before the daemon starts: its configuration, every path it uses,
// and the example feed.
//
// It only reads. It must never create a file or directory, start a process or open a socket, and it imports no other
// room. It starts no goroutines.
package configs

// Config is the daemon's configuration, whole: every field has a value after Load, so nobody else knows a default.
// The commented list of keys is default.toml.
type Config struct {
	Listen  string  `toml:"listen"` // host:port of /mcp, /healthz and /readyz; port 0 takes a free one
	Feed    Feed    `toml:"feed"`
	Sandbox Sandbox `toml:"sandbox"`
	Deps    Deps    `toml:"deps"`
	Limits  Limits  `toml:"limits"`

	State string `toml:"-"` // absolute; from --state, MAJORDOMO_STATE or DefaultState, never from the file
}

// Feed is the one place connectors come from.
type Feed struct {
	URL       string `toml:"url"`        // https:// base, http:// on loopback, or an absolute directory; "" = none
	PublicKey string `toml:"public_key"` // minisign key that signs the index, see Key; "" = the feed is unsigned
	CAFile    string `toml:"ca_file"`    // PEM file trusted beside the system's roots; "" = none
}

// Sandbox says how connectors are confined (docs/security.md).
type Sandbox struct {
	Driver      string   `toml:"driver"`       // native | docker | none
	Image       string   `toml:"image"`        // of driver docker: has node and python; demanded there
	Engine      string   `toml:"engine"`       // of driver docker: unix:// and the path of its socket; "" = the usual one
	IUnderstand bool     `toml:"i_understand"` // demanded by driver none
	Required    []string `toml:"required"`     // layers whose absence refuses a start instead of warning
	UIDBase     int      `toml:"uid_base"`     // first uid of activations; 0 = the daemon picks a free range
	Network     string   `toml:"network"`      // enforced | unrestricted: what becomes of a connector whose network cannot be held
}

// Deps says how npm and pip trees are built.
type Deps struct {
	Timeout    Duration `toml:"timeout"`    // one whole install
	Registries []string `toml:"registries"` // host:port a build may reach beside npm's and pip's own, also where private or loopback
	Scripts    Scripts  `toml:"scripts"`    // whose install scripts run

	// ScriptsNetwork lets the scripts that run reach what npm and pip reach, but for credentials.
	ScriptsNetwork bool `toml:"scripts_network"`

	// Disk is what one install may have on disk while it runs.
	Disk Bytes `toml:"disk"`
}

// Limits bounds one instance.
type Limits struct {
	Memory       Bytes            `toml:"memory"`
	PIDs         int              `toml:"pids"`
	CPU          float64          `toml:"cpu"`           // cores
	Disk         Bytes            `toml:"disk"`          // in its own directory
	DiskFiles    int64            `toml:"disk_files"`    // files and directories there
	DiskReserve  Bytes            `toml:"disk_reserve"`  // kept free on the disk of the homes
	StartTimeout Duration         `toml:"start_timeout"` // process start to tools listed
	Message      Bytes            `toml:"message"`       // one message of a connector
	MessageOf    map[string]Bytes `toml:"message_of"`    // the same, by connector id
	Messages     Bytes            `toml:"messages"`      // large messages of all connectors that are under way
	CallTimeout  Duration         `toml:"call_timeout"`  // one tool call, from the last sign of its progress
	CallCeiling  Duration         `toml:"call_ceiling"`  // one tool call, whatever its progress

	Idle            Pause    `toml:"idle"`              // unused for so long, a connector is stopped until the next call; 0 = never
	IdleAlso        []string `toml:"idle_also"`         // connectors that are stopped too although they sign in by QR code or report events
	Instances       int      `toml:"instances"`         // how many connectors may run at once; 0 = any number
	MemberInstances int      `toml:"member_instances"`  // of one member
	MemberMemory    Total    `toml:"member_memory"`     // what all connectors of one member may have together; 0 = no total
	MemberPIDs      int      `toml:"member_pids"`       // the same
	MemberCPU       float64  `toml:"member_cpu"`        // the same, in cores
	SpawnsPerMinute int      `toml:"spawns_per_minute"` // processes started within a minute
	Starts          int      `toml:"starts"`            // how many connectors may be starting at once; 0 = by the number of processors
}
