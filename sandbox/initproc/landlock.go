package initproc

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What Landlock can be asked for, by the first ABI that knows it.
const (
	readRights = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	fileRights = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	rightsABI1 = unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1
	scopesABI6 = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
)

// landlock repeats the file view in a second mechanism: everything may be read and executed, only what is the connector's written. It
// holds also where a mount should turn out to be more than was meant. Without a view of its own it is the file view: what it does
// not name does not open. It needs no_new_privs and binds what this thread forks.
func (s *sandbox) landlock() error {
	c := s.config
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return fmt.Errorf("the kernel has no Landlock: %w", errno)
	}
	attr := rulesetFor(int(abi))
	ruleset, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return fmt.Errorf("cannot create the Landlock rules: %w", errno)
	}
	defer unix.Close(int(ruleset))
	rules := c.HostTree
	if c.in(unix.CLONE_NEWNS) {
		rules = writable(c.View)
	}
	for _, b := range rules {
		rights := attr.Handled_access_fs
		if !b.Writable && !b.Device {
			rights &= readRights
		}
		if err := allow(int(ruleset), b, rights); err != nil {
			return err
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, ruleset, 0, 0); errno != 0 {
		return fmt.Errorf("cannot enforce the Landlock rules: %w", errno)
	}
	s.scoped = attr.Scoped != 0
	return nil
}

// rulesetFor handles everything the ABI knows; the kernel refuses what it does not.
func rulesetFor(abi int) unix.LandlockRulesetAttr {
	attr := unix.LandlockRulesetAttr{Handled_access_fs: rightsABI1}
	for since, right := range map[int]uint64{
		2: unix.LANDLOCK_ACCESS_FS_REFER, 3: unix.LANDLOCK_ACCESS_FS_TRUNCATE, 5: unix.LANDLOCK_ACCESS_FS_IOCTL_DEV,
	} {
		if abi >= since {
			attr.Handled_access_fs |= right
		}
	}
	if abi >= 6 {
		attr.Scoped = scopesABI6
	}
	return attr
}

// allow grants rights beneath a path. The kernel refuses rights of directories on a file.
func allow(ruleset int, b Bind, rights uint64) error {
	fd, err := openRule(b)
	if b.Optional && errors.Is(err, unix.ENOENT) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("cannot open %s for Landlock: %w", b.Source, err)
	}
	defer unix.Close(fd)
	dir, err := isDir(fd)
	if err != nil {
		return err
	}
	if !dir {
		rights &= fileRights
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("cannot allow %s in Landlock: %w", b.Source, errno)
	}
	return nil
}

func openRule(b Bind) (int, error) {
	if b.Beneath != "" {
		return openBeneath(b.Beneath, b.Source)
	}
	return unix.Open(b.Source, unix.O_PATH|unix.O_CLOEXEC, 0)
}

// writable lists what the connector may change: what is its own. The devices and its own /proc entries are guarded by their
// modes and by the mounts. All else it may read.
func writable(v View) []Bind {
	rules := []Bind{{Source: "/"}, {Source: "/dev", Writable: true}, {Source: "/proc", Writable: true}}
	for _, t := range v.Tmpfs {
		if t.Path != "/" {
			rules = append(rules, Bind{Source: t.Path, Writable: true})
		}
	}
	for _, b := range v.Binds {
		if b.Writable {
			rules = append(rules, Bind{Source: b.Target, Writable: true})
		}
	}
	return rules
}
