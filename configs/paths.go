package configs

import (
	"os"
	"path/filepath"
)

const (
	// ServiceState is the state directory of the system service.
	ServiceState = "/var/lib/majordomo"
	// ServiceSocket is where everybody finds the system service.
	ServiceSocket = "/run/majordomo/majordomo.sock"
)

// Paths is the table of every path of one state directory (docs/architecture.md, On disk). It only joins names: callers pass names that
// were checked where they came in.
type Paths struct {
	State string // absolute
}

func (p Paths) at(elem ...string) string { return filepath.Join(append([]string{p.State}, elem...)...) }

// Database is the SQLite file.
func (p Paths) Database() string { return p.at("majordomo.db") }

// VaultKey is the key that seals secrets.
func (p Paths) VaultKey() string { return p.at("vault.key") }

// Lock is held by the one daemon that owns this state directory, and names it.
func (p Paths) Lock() string { return p.at("majordomo.lock") }

// Socket is the control socket: in /run for the system service, else in the state directory.
func (p Paths) Socket() string {
	if p.State == ServiceState {
		return ServiceSocket
	}
	return p.at("majordomo.sock")
}

// Connectors holds the installed packages.
func (p Paths) Connectors() string { return p.at("connectors") }

// Connector is one installed package, swapped whole.
func (p Paths) Connector(id string) string { return p.at("connectors", id) }

// Kept holds the packages that installed ones replaced.
func (p Paths) Kept() string { return p.at("connectors", ".previous") }

// Previous is the package that the installed one replaced, kept whole.
func (p Paths) Previous(id string) string { return p.at("connectors", ".previous", id) }

// Staging is where an install assembles a package before the swap, on the same filesystem as Connectors.
func (p Paths) Staging() string { return p.at("staging") }

// Development holds the copies of connectors under development; empty when none is.
func (p Paths) Development() string { return p.at("development") }

// DevelopmentOf is where one member's connector under development lies.
func (p Paths) DevelopmentOf(member, id string) string { return p.at("development", member, id) }

// Deps holds the dependency trees and their caches.
func (p Paths) Deps() string { return p.at("deps") }

// Tree is the read-only dependency tree with this key.
func (p Paths) Tree(key string) string { return p.at("deps", key) }

// DepsCache is the download cache of one connector's installs, never shown to code that was installed.
func (p Paths) DepsCache(id string) string { return p.at("deps", "cache", id) }

// Guard holds the programs that connectors' interpreters load first, and nothing else: every connector sees it.
func (p Paths) Guard() string { return p.at("guard") }

// Homes holds the members' homes.
func (p Paths) Homes() string { return p.at("homes") }

// Copies is where what a connector runs is copied to before it is moved into the connector's directory: on the file system
// of the homes, but nobody's home.
func (p Paths) Copies() string { return p.at("homes", ".copies") }

// Home is one member's home.
func (p Paths) Home(member string) string { return p.at("homes", member) }

// ConnectorDir is where one member's connector keeps what it keeps; inside the sandbox it is
// /root/.skald/mcp/<name>. Hostile to a root daemon: the connector can write here.
func (p Paths) ConnectorDir(member, name string) string {
	return p.at("homes", member, ".skald", "mcp", name)
}

// Copied lists what was copied into a ConnectorDir, where things cannot be mounted. It lies beside the directory, under a name
// that no connector can have.
func (p Paths) Copied(member, name string) string {
	return p.at("homes", member, ".skald", "mcp", ".copied-"+name)
}

// Files is the member's own directory, shown as /root/files to connectors that declare it.
func (p Paths) Files(member string) string { return p.at("homes", member, "files") }

// Log is the stderr of one member's connector.
func (p Paths) Log(member, name string) string { return p.at("logs", member, name+".log") }

// DefaultState is the state directory when nobody named one: the service's for root, else below
// $XDG_STATE_HOME or HOME, "" without either. getenv nil reads the process environment.
func DefaultState(getenv func(string) string) string {
	return defaultState(os.Getuid(), orEnviron(getenv))
}

func defaultState(uid int, getenv func(string) string) string {
	if uid == 0 {
		return ServiceState
	}
	return xdg(getenv, "XDG_STATE_HOME", ".local/state", "majordomo")
}

func defaultFile(uid int, getenv func(string) string) string {
	if uid == 0 {
		return "/etc/majordomo/config.toml"
	}
	return xdg(getenv, "XDG_CONFIG_HOME", ".config", "majordomo/config.toml")
}

// xdg follows the base directory specification: a relative value counts as unset. "" means that there is no such place: a
// path relative to wherever somebody stands would be anybody's.
func xdg(getenv func(string) string, name, fallback, path string) string {
	if dir := getenv(name); filepath.IsAbs(dir) {
		return filepath.Join(dir, path)
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, fallback, path)
	}
	return ""
}

func orEnviron(getenv func(string) string) func(string) string {
	if getenv == nil {
		return os.Getenv
	}
	return getenv
}
