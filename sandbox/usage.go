package sandbox

import (
	"time"

	"majordomo/sandbox/cgroup"
)

// Usage is what a process and everything it started use. Zero stands for what
// this host does not count.
type Usage struct {
	Memory int64         // bytes now, without file contents that the kernel can drop
	CPU    time.Duration // since the start
}

// Usage is what the whole tree uses now; zero after its end.
func (p *Process) Usage() Usage {
	if p.group == nil {
		return Usage{}
	}
	var u cgroup.Usage
	select {
	case <-p.done:
	default:
		u = p.group.Usage()
	}
	return Usage(u)
}
