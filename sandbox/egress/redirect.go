package egress

import (
	"fmt"
	"io"
	"net"

	"github.com/google/nftables"
	"github.com/google/nftables/binaryutil"
	"github.com/google/nftables/expr"
	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"

	"majordomo/sandbox/egress/inside"
)

// redirect returns the nftables batches, for IPv4 and for IPv6, that send every TCP connection to inside.RedirectPort, but for those to
// loopback, which are between the connector's own processes. The daemon only writes the bytes: the init sends them from inside the
// namespace, which also works for an ordinary user and needs no netfilter library in the init.
func redirect() ([][]byte, error) {
	v4, err := record(nftables.TableFamilyIPv4, &expr.Payload{DestRegister: 1, Base: expr.PayloadBaseNetworkHeader, Offset: 16, Len: 1}, []byte{127})
	if err != nil {
		return nil, err
	}
	v6, err := record(nftables.TableFamilyIPv6, &expr.Payload{DestRegister: 1, Base: expr.PayloadBaseNetworkHeader, Offset: 24, Len: 16}, net.IPv6loopback)
	if err != nil {
		return nil, err
	}
	return [][]byte{v4, v6}, nil
}

// record has the library write "tcp and destination != loopback: redirect to the port" for one family, and keeps the bytes.
func record(family nftables.TableFamily, destination expr.Any, loopback []byte) ([]byte, error) {
	var batch []byte
	conn, err := nftables.New(nftables.WithTestDial(func(messages []netlink.Message) ([]netlink.Message, error) {
		var err error
		if len(messages) > 0 { // none = the library waits for an answer
			batch, err = marshal(messages)
		}
		if err == nil {
			err = io.EOF // nothing to answer
		}
		return nil, err
	}))
	if err != nil {
		return nil, fmt.Errorf("cannot write the nftables redirect: %w", err)
	}
	table := conn.AddTable(&nftables.Table{Family: family, Name: "majordomo"})
	chain := conn.AddChain(&nftables.Chain{
		Name: "out", Table: table, Type: nftables.ChainTypeNAT,
		Hooknum: nftables.ChainHookOutput, Priority: nftables.ChainPriorityNATDest,
	})
	conn.AddRule(&nftables.Rule{Table: table, Chain: chain, Exprs: []expr.Any{
		&expr.Meta{Key: expr.MetaKeyL4PROTO, Register: 1},
		&expr.Cmp{Op: expr.CmpOpEq, Register: 1, Data: []byte{unix.IPPROTO_TCP}},
		destination,
		&expr.Cmp{Op: expr.CmpOpNeq, Register: 1, Data: loopback},
		&expr.Immediate{Register: 1, Data: binaryutil.BigEndian.PutUint16(inside.RedirectPort)},
		&expr.Redir{RegisterProtoMin: 1, RegisterProtoMax: 1},
	}})
	if err := conn.Flush(); err != nil {
		return nil, fmt.Errorf("cannot write the nftables redirect: %w", err)
	}
	return batch, nil
}

// marshal strings the messages together. Only the last one before the end of the batch asks for an acknowledgement: the init reads one
// answer, which is then either that or the first error.
func marshal(messages []netlink.Message) ([]byte, error) {
	var batch []byte
	for i, m := range messages {
		m.Header.Flags &^= netlink.Acknowledge | netlink.Echo
		if i == len(messages)-2 {
			m.Header.Flags |= netlink.Acknowledge
		}
		m.Header.PID = 0
		b, err := m.MarshalBinary()
		if err != nil {
			return nil, err
		}
		batch = append(batch, b...)
	}
	return batch, nil
}
