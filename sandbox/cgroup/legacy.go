package cgroup

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"

	"github.com/containerd/cgroups/v3/cgroup1"
	"github.com/opencontainers/runtime-spec/specs-go"
	"golang.org/x/sys/unix"
)

// legacy makes groups in the v1 hierarchies of those controllers that work.
type legacy struct {
	places map[string]place // by controller
	base   string
}

// dirs returns the directories of a group, by controller; of the base group when name is empty.
func (v *legacy) dirs(name string) map[string]string {
	dirs := map[string]string{}
	for controller, p := range v.places {
		dirs[controller] = filepath.Join(p.dir(), v.base, name)
	}
	return dirs
}

// homes returns the daemon's own groups.
func (v *legacy) homes() map[string]string {
	dirs := map[string]string{}
	for controller, p := range v.places {
		dirs[controller] = p.dir()
	}
	return dirs
}

func (v *legacy) make(name string, l Limits) error {
	_, err := cgroup1.New(v.path(name), v.resources(l), cgroup1.WithHierarchy(v.subsystems))
	return err
}

func (v *legacy) path(name string) cgroup1.Path {
	return func(controller cgroup1.Name) (string, error) {
		p, ok := v.places[string(controller)]
		if !ok {
			return "", cgroup1.ErrControllerNotActive
		}
		return filepath.Join(p.group, v.base, name), nil
	}
}

// subsystems are the library's; it wants each hierarchy in a directory (or link) that is called like the controller.
func (v *legacy) subsystems() (list []cgroup1.Subsystem, err error) {
	for controller, p := range v.places {
		root := filepath.Dir(p.mount)
		var st unix.Statfs_t
		if err := unix.Statfs(filepath.Join(root, controller), &st); err != nil {
			return nil, &os.PathError{Op: "statfs", Path: filepath.Join(root, controller), Err: err}
		}
		if st.Type != unix.CGROUP_SUPER_MAGIC {
			return nil, errors.New(filepath.Join(root, controller) + " is not a control group hierarchy")
		}
		switch controller {
		case "memory":
			list = append(list, cgroup1.NewMemory(root))
		case "pids":
			list = append(list, cgroup1.NewPids(root))
		case "cpu":
			list = append(list, cgroup1.NewCpu(root))
		}
	}
	return list, nil
}

func (v *legacy) resources(l Limits) *specs.LinuxResources {
	r := &specs.LinuxResources{}
	if l.Memory > 0 {
		r.Memory = &specs.LinuxMemory{Limit: &l.Memory}
		if p := v.places["memory"]; exists(filepath.Join(p.dir(), "memory.memsw.limit_in_bytes")) {
			r.Memory.Swap = &l.Memory // memory and swap together
		}
	}
	if pids := int64(l.Pids); pids > 0 {
		r.Pids = &specs.LinuxPids{Limit: &pids}
	}
	if l.CPU > 0 {
		quota, period := cpuQuota(l.CPU)
		r.CPU = &specs.LinuxCPU{Quota: &quota, Period: &period}
	}
	return r
}

// cpuQuota turns cores into microseconds per tenth of a second. The kernel takes no less than one millisecond.
func cpuQuota(cores float64) (quota int64, period uint64) {
	const tenth = 100_000
	return max(int64(cores*tenth), 1000), tenth
}

// tasks are the open files by which a thread moves itself into a group of each hierarchy.
type tasks []*os.File

func openTasks(dirs map[string]string) (t tasks, err error) {
	for _, dir := range dirs {
		file, err := os.OpenFile(filepath.Join(dir, "tasks"), os.O_WRONLY, 0)
		if err != nil {
			t.close()
			return nil, err
		}
		t = append(t, file)
	}
	return t, nil
}

// moveThread moves the calling OS thread, and only it. The kernel spares that move, of "0" into tasks, the lock over all forks that
// moving a process or another thread takes, and which costs some 10 ms on a quiet host. It goes on after an error.
func (t tasks) moveThread() error {
	var errs []error
	for _, file := range t {
		_, err := file.WriteString("0")
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func (t tasks) close() {
	for _, file := range t {
		_ = file.Close()
	}
}

func movePid(dir string, pid int) error {
	return os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
