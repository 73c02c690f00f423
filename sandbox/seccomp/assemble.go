package seccomp

import (
	"cmp"
	"slices"
	"syscall"

	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// Offsets into struct seccomp_data. Both architectures are little-endian: the low half of an argument comes first.
const (
	offNumber = 0
	offArch   = 4
	offArgs   = 16
)

// check refuses a call with errno when all its tests hold.
type check struct {
	tests []test
	errno syscall.Errno
}

// test looks at the low 32 bits of one argument. The arguments we judge are ints or flags in the low word, and the kernel ignores
// the high word of an int: a comparison of all 64 bits would be passed by setting one of those.
type test struct {
	arg  uint32
	cond bpf.JumpTest
	val  uint32
}

func is(arg, val uint32) test   { return test{arg, bpf.JumpEqual, val} }
func not(arg, val uint32) test  { return test{arg, bpf.JumpNotEqual, val} }
func has(arg, bits uint32) test { return test{arg, bpf.JumpBitsSet, bits} }

// assemble lays the filter out. Every rule is a block that ends in a return, so that no jump is long. The library's own policy
// compiler is not used: with a default of "allow" it lets foreign architectures through, and after a failed argument check it goes on
// comparing the argument as if it were the call's number.
func assemble(info *arch.Info, b Ban) []bpf.Instruction {
	prog := []bpf.Instruction{
		bpf.LoadAbsolute{Off: offArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(info.ID), SkipTrue: 1},
		refuse(unix.ENOSYS), // i386 or 32-bit arm code: its numbers mean other calls
		bpf.LoadAbsolute{Off: offNumber, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpLessOrEqual, Val: newest(info), SkipTrue: 1},
		refuse(unix.ENOSYS), // newer than this list, or x32
	}
	for group := range slices.Chunk(rulings(info, b), groupSize) {
		prog = append(prog, dispatch(group)...)
	}
	return append(prog, allow)
}

// ruling is what becomes of one call.
type ruling struct {
	number uint32
	block  []bpf.Instruction // ends in a return
}

// rulings are in the order of the numbers.
func rulings(info *arch.Info, b Ban) (all []ruling) {
	rule := func(call string, block ...bpf.Instruction) {
		if number, ok := info.SyscallNames[call]; ok {
			all = append(all, ruling{uint32(number), block})
		}
	}
	for _, r := range refused {
		for _, call := range r.calls {
			rule(call, refuse(r.errno))
		}
	}
	for _, r := range judged {
		for _, call := range r.calls {
			rule(call, append(checks(append(b.checks(call), r.checks...)), allow)...)
		}
	}
	slices.SortFunc(all, func(a, b ruling) int { return cmp.Compare(a.number, b.number) })
	return all
}

// groupSize is about the root of how many rulings there are. To load a filter the kernel goes through it once for every call there is: to
// pass over most of it makes that four times as fast, and it is a good part of what a sandbox costs.
const groupSize = 8

// dispatch passes over a group for calls beyond it, and otherwise decides.
func dispatch(group []ruling) (block []bpf.Instruction) {
	for _, r := range group {
		block = append(block, bpf.JumpIf{Cond: bpf.JumpEqual, Val: r.number, SkipFalse: uint8(len(r.block))})
		block = append(block, r.block...)
	}
	block = append(block, allow)
	last := group[len(group)-1].number
	return append([]bpf.Instruction{bpf.JumpIf{Cond: bpf.JumpGreaterThan, Val: last, SkipTrue: uint8(len(block))}}, block...)
}

var allow = bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}

// checks are those that a ban adds to a call.
func (b Ban) checks(call string) (list []check) {
	if call != "socket" {
		return nil
	}
	if b.Network {
		list = append(list, check{[]test{is(0, unix.AF_INET)}, unix.EAFNOSUPPORT}, check{[]test{is(0, unix.AF_INET6)}, unix.EAFNOSUPPORT})
	}
	if b.Unix {
		list = append(list, check{[]test{is(0, unix.AF_UNIX)}, unix.EAFNOSUPPORT})
	}
	return list
}

// checks ends a call at the first check that holds, and otherwise falls through.
func checks(list []check) (block []bpf.Instruction) {
	for _, c := range list {
		for i, t := range c.tests {
			rest := 2*(len(c.tests)-i-1) + 1 // the tests that follow, and the refusal
			block = append(block,
				bpf.LoadAbsolute{Off: offArgs + 8*t.arg, Size: 4},
				bpf.JumpIf{Cond: t.cond, Val: t.val, SkipFalse: uint8(rest)})
		}
		block = append(block, refuse(c.errno))
	}
	return block
}

func refuse(e syscall.Errno) bpf.Instruction {
	return bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(e)}
}

// newest is the highest call number that the list was written against.
func newest(info *arch.Info) uint32 { return uint32(info.SyscallNames[newestCall]) }
