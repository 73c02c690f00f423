package deps

import (
	"context"
	"errors"
	"hash/fnv"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// buildUIDs is how many builds may be under way at once, each with a uid of its own.
const buildUIDs = 64

// uids hands out what builds run as. Where there is no pid namespace, what a build leaves behind is ended by its uid: another build
// under way must have another one. Builds of one connector follow one another, since they share its download cache, and get the
// same uid as long as no other connector has taken it meanwhile.
type uids struct {
	mu    sync.Mutex // protects the fields below
	taken map[int]string
	freed chan struct{} // closed when a uid is given back; nil while nobody waits
}

// take waits for a uid of this connector, until ctx ends. give is called once, when nothing of the build lives any more.
func (u *uids) take(ctx context.Context, first int, connector string) (uid int, give func(), err error) {
	for {
		uid, freed := u.try(first, connector)
		if freed == nil {
			return uid, func() { u.give(uid) }, nil
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return 0, nil, ctx.Err()
		}
	}
}

// try returns what to wait for where there is none to be had.
func (u *uids) try(first int, connector string) (uid int, wait <-chan struct{}) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.builds(connector) {
		for n := range buildUIDs {
			uid := first + (placeOf(connector)+n)%buildUIDs
			if _, taken := u.taken[uid]; !taken {
				if u.taken == nil {
					u.taken = map[int]string{}
				}
				u.taken[uid] = connector
				return uid, nil
			}
		}
	}
	if u.freed == nil {
		u.freed = make(chan struct{})
	}
	return 0, u.freed
}

func (u *uids) builds(connector string) bool {
	for _, c := range u.taken {
		if c == connector {
			return true
		}
	}
	return false
}

func (u *uids) give(uid int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.taken, uid)
	if u.freed != nil {
		close(u.freed)
		u.freed = nil
	}
}

// placeOf is where the uids are tried first for a connector.
func placeOf(connector string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(connector)) // a hash takes everything
	return int(h.Sum32() % buildUIDs)
}

// hand gives a directory and what lies in it to another uid, if it belongs to one of builds: what was downloaded is worth keeping. None
// of them may be at work in there.
func hand(dir string, to int) error {
	return filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		st, ok := info.Sys().(*syscall.Stat_t)
		if !ok {
			return errors.New("no owner")
		}
		if int(st.Uid) == to || st.Uid == 0 {
			return nil
		}
		return os.Lchown(path, to, to)
	})
}
