package disk

import (
	"os"

	"golang.org/x/sys/unix"
)

// space is how full a file system is.
type space struct {
	id                 unix.Fsid
	used, free, total  int64 // bytes; free is what an ordinary user may take
	inodes, freeInodes int64
}

// spaceOf asks the file system that dir is on.
func spaceOf(dir *os.File) (s space, err error) {
	var st unix.Statfs_t
	if err := unix.Fstatfs(int(dir.Fd()), &st); err != nil {
		return s, err
	}
	size := int64(st.Bsize)
	return space{
		id: st.Fsid, used: int64(st.Blocks-st.Bfree) * size, free: int64(st.Bavail) * size, total: int64(st.Blocks) * size,
		inodes: int64(st.Files - st.Ffree), freeInodes: int64(st.Ffree),
	}, nil
}

// reserve is what is to be left free of a file system of this size; 0 bytes = the default.
func reserve(bytes, total int64) int64 {
	if bytes == 0 {
		bytes = 512 << 20
	}
	return min(bytes, total/20)
}
