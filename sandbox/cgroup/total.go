package cgroup

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// set writes one limit. None is written as none, since there may have been one before.
func (h hold) set(controller string, l Limits) error {
	none, files := "-1", legacyFiles
	if h.unified {
		none, files = "max", unifiedFiles
	}
	value := none
	if n := wanted(l)[controller]; n > 0 {
		value = strconv.FormatInt(n, 10)
	}
	switch {
	case controller == "memory" && !h.unified:
		return h.setMemory(value)
	case controller == "cpu" && h.unified:
		_, period := cpuQuota(l.CPU)
		value += fmt.Sprint(" ", period)
	case controller == "pids" && value == "-1":
		value = "max" // in both hierarchies
	}
	return h.write(files[controller], value)
}

// setMemory sets memory alone, and memory with swap, which may never be the lower of the two.
func (h hold) setMemory(value string) error {
	alone, both := legacyFiles["memory"], "memory.memsw.limit_in_bytes"
	if !exists(filepath.Join(h.dir, both)) {
		return h.write(alone, value)
	}
	if h.write(both, value) != nil { // it is lowered
		if err := h.write(alone, value); err != nil {
			return err
		}
		return h.write(both, value)
	}
	return h.write(alone, value)
}

func (h hold) write(file, value string) error {
	return os.WriteFile(filepath.Join(h.dir, file), []byte(value), 0)
}
