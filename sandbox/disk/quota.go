package disk

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A project is a number that files carry and what they make inherits. The kernel counts what each has. A connector's project is its uid,
// which no other has; the system-call filter keeps it from changing the number of its own files.

// fsxattr is struct fsxattr.
type fsxattr struct {
	flags, extsize, nextents, project, cowextsize uint32
	_                                             [8]byte
}

const (
	getXattr       = 0x801c581f // FS_IOC_FSGETXATTR
	setXattr       = 0x401c5820 // FS_IOC_FSSETXATTR
	projectInherit = 0x200      // FS_XFLAG_PROJINHERIT

	setQuota   = 0x800008<<8 | prjQuota // QCMD(Q_SETQUOTA, PRJQUOTA)
	prjQuota   = 2
	limitsOnly = 1 | 4 // QIF_BLIMITS | QIF_ILIMITS
)

// dqblk is struct if_dqblk.
type dqblk struct {
	blocksHard, blocksSoft, space  uint64 // limits in KiB
	inodesHard, inodesSoft, inodes uint64
	blocksTime, inodesTime         uint64
	valid                          uint32
	_                              uint32
}

// SetQuota has the kernel hold dir and all below it to the limit, as a project. An error means that it does not: the file system has no
// project quota, or is not mounted with it, or we may not set one.
func SetQuota(dir *os.File, project uint32, l Limit) error {
	q := dqblk{
		blocksHard: uint64(l.Bytes+1023) >> 10, inodesHard: uint64(l.Inodes), valid: limitsOnly,
	}
	q.blocksSoft, q.inodesSoft = q.blocksHard, q.inodesHard
	_, _, errno := unix.Syscall6(unix.SYS_QUOTACTL_FD, dir.Fd(), setQuota, uintptr(project), uintptr(unsafe.Pointer(&q)), 0, 0)
	if errno != 0 {
		return fmt.Errorf("no project quota: %w", errno)
	}
	return assign(int(dir.Fd()), ".", project, 0)
}

// assign gives a tree to the project. Only regular files and directories hold anything.
func assign(parent int, name string, project uint32, depth int) error {
	if depth > maxDepth {
		return errors.New("nested too deep")
	}
	fd, err := unix.Openat(parent, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		if depth == 0 {
			return err
		}
		return nil // a link, a socket, or gone
	}
	f := os.NewFile(uintptr(fd), name)
	defer f.Close()
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	isDir := st.Mode&unix.S_IFMT == unix.S_IFDIR
	if !isDir && st.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil
	}
	if err := setProject(fd, project, isDir); err != nil || !isDir {
		return err
	}
	names, err := f.Readdirnames(-1)
	for _, n := range names {
		if err := assign(fd, n, project, depth+1); err != nil {
			return err
		}
	}
	return err
}

func setProject(fd int, project uint32, isDir bool) error {
	var x fsxattr
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), getXattr, uintptr(unsafe.Pointer(&x))); errno != 0 {
		return fmt.Errorf("cannot read its project: %w", errno)
	}
	if x.project == project && (!isDir || x.flags&projectInherit != 0) {
		return nil
	}
	x.project = project
	if isDir {
		x.flags |= projectInherit
	}
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), setXattr, uintptr(unsafe.Pointer(&x))); errno != 0 {
		return fmt.Errorf("cannot set its project: %w", errno)
	}
	return nil
}
