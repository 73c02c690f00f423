// Package acl changes POSIX access lists, which the kernel keeps in an extended attribute of a file.
//
// It is for connectors that run in the host's own tree: each has to pass through the state directory, which is closed to all but the daemon.
// The package must never give a uid more than the right to pass. It keeps no state and starts no goroutine.
package acl

import (
	"encoding/binary"
	"errors"
	"slices"

	"golang.org/x/sys/unix"
)

// AllowTraverse lets a uid pass through a directory, and neither list nor read it. It does nothing where everybody may, or the uid owns the
// directory; it fails where the file system has no access lists, and says so. It follows no link at the end of dir.
func AllowTraverse(dir string, uid int) error {
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	if st.Mode&0o001 != 0 || int(st.Uid) == uid {
		return nil
	}
	l, err := read(fd, st.Mode)
	if err != nil {
		return err
	}
	if err = unix.Fsetxattr(fd, attribute, l.with(uint32(uid)).bytes(), 0); errors.Is(err, unix.ENOTSUP) {
		err = errors.New("its file system has no access lists; mount the state directory on one that has, such as ext4 or xfs")
	}
	return err
}

const (
	attribute = "system.posix_acl_access"
	version   = 2
	nobodyID  = ^uint32(0)

	userObj, user, groupObj, group, mask, other = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20
)

// entry is as the kernel has it.
type entry struct {
	tag, perm uint16
	id        uint32
}

// list is what a file says of who may what.
type list []entry

// read returns the list of an open file, or what its mode says where it has none.
func read(fd int, mode uint32) (list, error) {
	buf := make([]byte, 64<<10)
	n, err := unix.Fgetxattr(fd, attribute, buf)
	if errors.Is(err, unix.ENODATA) || errors.Is(err, unix.ENOTSUP) {
		return list{
			{userObj, uint16(mode >> 6 & 7), nobodyID}, {groupObj, uint16(mode >> 3 & 7), nobodyID}, {other, uint16(mode & 7), nobodyID},
		}, nil
	}
	if err != nil || n < 4 {
		return nil, errors.Join(err, errors.New("cannot read its access list"))
	}
	var l list
	for b := buf[4:n]; len(b) >= 8; b = b[8:] {
		l = append(l, entry{binary.LittleEndian.Uint16(b), binary.LittleEndian.Uint16(b[2:]), binary.LittleEndian.Uint32(b[4:])})
	}
	return l, nil
}

// with lets a uid pass. The mask bounds what entries for single users give, and is made to allow passing and no more than it did.
func (l list) with(uid uint32) list {
	out := slices.DeleteFunc(slices.Clone(l), func(e entry) bool { return e.tag == user && e.id == uid })
	out = append(out, entry{user, 1, uid})
	masked := false
	for i := range out {
		if out[i].tag == mask {
			out[i].perm |= 1
			masked = true
		}
	}
	if !masked {
		out = append(out, entry{mask, out.groupPerm() | 1, nobodyID})
	}
	slices.SortFunc(out, func(a, b entry) int {
		if a.tag != b.tag {
			return int(a.tag) - int(b.tag)
		}
		return int(int64(a.id) - int64(b.id))
	})
	return out
}

func (l list) groupPerm() uint16 {
	for _, e := range l {
		if e.tag == groupObj {
			return e.perm
		}
	}
	return 0
}

func (l list) bytes() []byte {
	b := binary.LittleEndian.AppendUint32(nil, version)
	for _, e := range l {
		b = binary.LittleEndian.AppendUint16(b, e.tag)
		b = binary.LittleEndian.AppendUint16(b, e.perm)
		b = binary.LittleEndian.AppendUint32(b, e.id)
	}
	return b
}
