package sandbox

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"majordomo/sandbox/initproc"
)

// endsByUID reports whether the processes of a Spec are told from those of all others by their uid. That of a trial is somebody else's.
func (h *Host) endsByUID(s Spec, clone uintptr) bool {
	return h.confines() && clone&unix.CLONE_NEWPID == 0 && os.Geteuid() == 0 && s.UID != 0 && !s.trial
}

// takeUID holds the uid for a process whose tree is ended by it, unless another has it: the check of a connector has the uid of the one that
// runs, and its end must not be that one's.
func (h *Host) takeUID(p *Process) {
	uid := p.spec.UID
	h.mu.Lock()
	defer h.mu.Unlock()
	if !p.byUID || h.uids[uid] {
		return
	}
	h.uids[uid] = true
	p.leaveUID = func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.uids, uid)
	}
}

// killUID ends every process of a uid that belongs to one sandbox, and returns when they are gone. It is how a tree is ended where there is
// neither a pid namespace nor a control group. A process of that uid does the killing: the kernel signals all whom it may signal at one
// instant, so that no fork outruns it.
func killUID(init string, uid, gid int) {
	if len(processesOf(uid)) == 0 {
		return
	}
	attr := &os.ProcAttr{Env: []string{}, Dir: "/", Sys: &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}}
	killer, err := os.StartProcess(init, []string{initproc.Name, initproc.KillOthers}, attr)
	if err != nil {
		return // the next start of this daemon tries again
	}
	_, _ = killer.Wait()
	// Only these: another start of the same activation may be under way already.
	left := processesOf(uid)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(killTime); len(left) > 0 && time.Now().Before(deadline); <-tick.C {
		now := processesOf(uid)
		left = slices.DeleteFunc(left, func(pid int) bool { return !slices.Contains(now, pid) })
	}
}

// processesOf lists the processes with a real uid, but for zombies.
func processesOf(uid int) (pids []int) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		status, err := readStatus(pid)
		if err != nil {
			continue // it is gone
		}
		real, _, _ := strings.Cut(status.field("Uid"), "\t")
		if real == strconv.Itoa(uid) && !strings.HasPrefix(status.field("State"), "Z") {
			pids = append(pids, pid)
		}
	}
	return pids
}
