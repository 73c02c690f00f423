package sandbox

import (
	"os"

	"golang.org/x/sys/unix"

	"majordomo/sandbox/disk"
)

// How the layer disk is put in force: by the kernel where it has project quotas for the directory, else by a watchdog that stops what has
// too much. Package disk says how each works, and docs/security.md what the second one lets through.

// Unwatched as Limits.Disk says that whoever starts the process sees to what it writes.
const Unwatched = -1

const (
	byQuota    = "by project quota"
	byWatchdog = "by a watchdog: what is over the limit is seen within seconds, and the connector is stopped then"
	byCaller   = "whoever started it sees to what it writes"
)

// openLimited opens what the disk limit of a process is about, and refuses what has too much already.
func (h *Host) openLimited(p *Process) error {
	limit := p.spec.diskLimit()
	if limit == (disk.Limit{}) {
		return nil
	}
	for _, m := range p.spec.Mounts {
		if !m.Counted || !m.Writable {
			continue
		}
		dir, err := m.open(unix.O_RDONLY | unix.O_DIRECTORY)
		if err != nil {
			return &StartError{Layer: Disk, Reason: err.Error()}
		}
		w := limitedDir{dir: dir, limit: limit}
		p.limited = append(p.limited, &w)
		if w.usage, err = disk.Measure(dir, limit); err != nil {
			return &StartError{Layer: Disk, Reason: err.Error()}
		}
		if why := limit.Over(w.usage); why != "" {
			return &StartError{Layer: Disk, Reason: why, Fix: "remove what it does not need from " + m.hostSource() + ", or raise the limit"}
		}
		if os.Geteuid() == 0 && disk.SetQuota(dir, uint32(p.spec.UID), limit) == nil {
			w.limit, w.quota = disk.Limit{}, true // only the reserve is left to look after
		}
	}
	return nil
}

// limitedDir is a directory whose size is limited.
type limitedDir struct {
	dir     *os.File // until it is watched
	limit   disk.Limit
	usage   disk.Usage
	quota   bool // the kernel holds the limit
	watched *disk.Watched
}

func (w *limitedDir) close() {
	if w.watched != nil {
		w.watched.Close()
		return
	}
	_ = w.dir.Close()
}

// watchDisk begins once the process can be killed for it.
func (h *Host) watchDisk(p *Process) {
	for _, w := range p.limited {
		w.watched = h.disk.Watch(w.dir, w.limit, w.usage, func(why string) {
			p.overDisk.CompareAndSwap(nil, &why)
			p.Kill()
		})
	}
}

// diskNote says how the disk limit of a process is held; "" = it has none.
func (p *Process) diskNote() string {
	switch {
	case p.spec.Limits.Disk == Unwatched:
		return byCaller
	case p.spec.trial:
		return byWatchdog
	case len(p.limited) == 0:
		return ""
	}
	for _, w := range p.limited {
		if !w.quota {
			return byWatchdog
		}
	}
	return byQuota
}

func (s Spec) diskLimit() disk.Limit {
	return disk.Limit{Bytes: max(s.Limits.Disk, 0), Inodes: max(s.Limits.Inodes, 0)}
}
