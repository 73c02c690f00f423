package sandbox

import (
	"encoding/binary"
	"errors"
	"slices"

	"golang.org/x/sys/unix"
)

// POSIX access lists, as the kernel keeps them in an extended attribute.

const (
	aclName    = "system.posix_acl_access"
	aclVersion = 2
	nobodyID   = ^uint32(0)

	aclUserObj, aclUser, aclGroupObj, aclGroup, aclMask, aclOther = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20
)

// aclEntry is as the kernel has it.
type aclEntry struct {
	tag, perm uint16
	id        uint32
}

type acl []aclEntry

// readACL returns the list of an open file, or what its mode says where it has none.
func readACL(fd int, mode uint32) (acl, error) {
	buf := make([]byte, 64<<10)
	n, err := unix.Fgetxattr(fd, aclName, buf)
	if errors.Is(err, unix.ENODATA) || errors.Is(err, unix.ENOTSUP) {
		return acl{
			{aclUserObj, uint16(mode >> 6 & 7), nobodyID}, {aclGroupObj, uint16(mode >> 3 & 7), nobodyID}, {aclOther, uint16(mode & 7), nobodyID},
		}, nil
	}
	if err != nil || n < 4 {
		return nil, errors.Join(err, errors.New("cannot read its access list"))
	}
	var list acl
	for b := buf[4:n]; len(b) >= 8; b = b[8:] {
		list = append(list, aclEntry{binary.LittleEndian.Uint16(b), binary.LittleEndian.Uint16(b[2:]), binary.LittleEndian.Uint32(b[4:])})
	}
	return list, nil
}

// with lets a uid pass. The mask bounds what entries for single users give, and is made to allow passing and no more than it did.
func (list acl) with(uid uint32) acl {
	out := slices.DeleteFunc(slices.Clone(list), func(e aclEntry) bool { return e.tag == aclUser && e.id == uid })
	out = append(out, aclEntry{aclUser, 1, uid})
	masked := false
	for i := range out {
		if out[i].tag == aclMask {
			out[i].perm |= 1
			masked = true
		}
	}
	if !masked {
		out = append(out, aclEntry{aclMask, out.groupPerm() | 1, nobodyID})
	}
	slices.SortFunc(out, func(a, b aclEntry) int {
		if a.tag != b.tag {
			return int(a.tag) - int(b.tag)
		}
		return int(int64(a.id) - int64(b.id))
	})
	return out
}

func (list acl) groupPerm() uint16 {
	for _, e := range list {
		if e.tag == aclGroupObj {
			return e.perm
		}
	}
	return 0
}

func (list acl) bytes() []byte {
	b := binary.LittleEndian.AppendUint32(nil, aclVersion)
	for _, e := range list {
		b = binary.LittleEndian.AppendUint16(b, e.tag)
		b = binary.LittleEndian.AppendUint16(b, e.perm)
		b = binary.LittleEndian.AppendUint32(b, e.id)
	}
	return b
}
