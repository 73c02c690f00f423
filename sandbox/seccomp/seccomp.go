// Package seccomp writes the system-call filter that every sandboxed process lives under.
//
// The filter is a list of refusals: what Node, Python, npm and pip never need and what would reach past the other layers, and
// every call newer than the list. It answers with an errno and never kills, so that a program which merely probes for a facility
// falls back as it would on an older kernel. The package must never
// let through what it does not know, and never refuse writable and executable memory, without which V8 cannot start.
//
// It only assembles; package load installs. It starts no goroutine.
package seccomp

import (
	"encoding/binary"
	"fmt"
	"runtime"

	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
)

// Ban is what a sandbox without a network or mount namespace must do without.
type Ban struct {
	Network bool // IPv4 and IPv6 sockets: nothing else would keep them in
	Unix    bool // unix sockets by name: no file rule covers connecting to one
}

// Program returns the filter for this architecture as raw struct sock_filter entries in native byte order, ready for load.Filter.
// It is the same on every call, costs well under a millisecond and is safe for concurrent use. Only amd64 and arm64 have one.
func Program(b Ban) ([]byte, error) {
	info, err := machine(runtime.GOARCH)
	if err != nil {
		return nil, err
	}
	raw, err := bpf.Assemble(assemble(info, b))
	if err != nil {
		return nil, fmt.Errorf("cannot assemble the seccomp filter: %w", err)
	}
	out := make([]byte, 0, 8*len(raw))
	for _, i := range raw {
		out = binary.NativeEndian.AppendUint16(out, i.Op)
		out = append(out, i.Jt, i.Jf)
		out = binary.NativeEndian.AppendUint32(out, i.K)
	}
	return out, nil
}

func machine(goarch string) (*arch.Info, error) {
	switch goarch {
	case "amd64":
		return arch.X86_64, nil
	case "arm64":
		return arch.AARCH64, nil
	}
	return nil, fmt.Errorf("cannot assemble the seccomp filter: %s is not supported, only amd64 and arm64 are", goarch)
}
