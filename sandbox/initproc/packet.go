package initproc

import (
	"encoding/binary"
	"errors"
)

// packet is what travels in one packet: numbers as varints, text by its length and byte for byte, so that what is not UTF-8 arrives as it
// was. A type has one description that serves for writing and for reading, so that the two cannot differ.
//
// It is not JSON, whose decoder takes half a millisecond to get going in a fresh process: a tenth of what a sandbox costs.
type packet struct {
	data    []byte // when writing
	rest    string // when reading; what is read are pieces of it
	reading bool
	err     error
}

var errPacket = errors.New("a packet on the control socket does not make sense: the daemon and its init are of different builds")

// finish returns the first thing that was wrong, or that something was left over.
func (p *packet) finish() error {
	if p.err == nil && len(p.rest) > 0 {
		p.err = errPacket
	}
	return p.err
}

func (p *packet) fail() { p.rest, p.err = "", errPacket }

func number[T ~int | ~int64 | ~uint16 | ~uint32 | ~uint64](p *packet, n *T) {
	if !p.reading {
		p.data = binary.AppendVarint(p.data, int64(*n))
		return
	}
	got, size := binary.Varint([]byte(p.rest[:min(binary.MaxVarintLen64, len(p.rest))]))
	if size <= 0 {
		p.fail()
		return
	}
	*n, p.rest = T(got), p.rest[size:]
}

func text[T ~string | ~[]byte](p *packet, s *T) {
	length := len(*s)
	number(p, &length)
	if !p.reading {
		p.data = append(p.data, *s...)
		return
	}
	if length < 0 || length > len(p.rest) {
		p.fail()
		return
	}
	if length > 0 {
		*s = T(p.rest[:length])
	}
	p.rest = p.rest[length:]
}

func (p *packet) flags(flags ...*bool) {
	for _, flag := range flags {
		var n int
		if *flag {
			n = 1
		}
		number(p, &n)
		*flag = n == 1
	}
}

// list is the items of a slice, each described by item.
func list[T any](p *packet, items *[]T, item func(*packet, *T)) {
	length := len(*items)
	number(p, &length)
	if p.reading {
		if length < 0 || length > len(p.rest) { // an item is a byte at least
			p.fail()
			return
		}
		if length > 0 {
			*items = make([]T, length)
		}
	}
	for i := range *items {
		item(p, &(*items)[i])
	}
}

func texts(p *packet, all ...*[]string) {
	for _, items := range all {
		list(p, items, text[string])
	}
}

// table is a map of text to text.
func table(p *packet, m *map[string]string) {
	var keys, values []string
	for key, value := range *m {
		keys, values = append(keys, key), append(values, value)
	}
	texts(p, &keys, &values)
	if !p.reading || len(keys) != len(values) {
		return
	}
	*m = make(map[string]string, len(keys))
	for i, key := range keys {
		(*m)[key] = values[i]
	}
}
