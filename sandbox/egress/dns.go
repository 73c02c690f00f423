package egress

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"slices"
	"time"

	"go.uber.org/zap"
	"golang.org/x/net/dns/dnsmessage"
)

const (
	maxQuestion   = 1232 // bytes; a question is never longer
	maxLookups    = 16   // at one time
	lookupTimeout = 5 * time.Second
	answerTTL     = 60 // seconds
)

// serveUDP answers datagrams until the Server is closed. Those that come too fast wait in the socket, where the kernel drops them.
func (s *Server) serveUDP(conn net.PacketConn) {
	for s.questions.Wait(s.ctx) == nil {
		buf := make([]byte, maxQuestion)
		n, from, err := conn.ReadFrom(buf)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue // the one that asks asks again
		}
		s.lookups <- struct{}{}
		s.wg.Go(func() {
			defer func() { <-s.lookups }()
			if answer := s.answer(buf[:n]); answer != nil {
				_, _ = conn.WriteTo(answer, from) // lost, as datagrams may be
			}
		})
	}
}

// serveDNSConn answers questions on one stream: each message is preceded by its length.
func (s *Server) serveDNSConn(conn net.Conn) {
	for {
		if err := conn.SetDeadline(time.Now().Add(lookupTimeout)); err != nil {
			return
		}
		var size [2]byte
		if _, err := io.ReadFull(conn, size[:]); err != nil {
			return
		}
		buf := make([]byte, min(binary.BigEndian.Uint16(size[:]), maxQuestion))
		if _, err := io.ReadFull(conn, buf); err != nil || s.questions.Wait(s.ctx) != nil {
			return
		}
		s.lookups <- struct{}{}
		answer := s.answer(buf)
		<-s.lookups
		if answer == nil {
			return
		}
		if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...)); err != nil {
			return
		}
	}
}

// answer replies to one message, or returns nil for what is no question. An IPv4 question is looked up outside, so that a name that does
// not exist is said not to, and answered with a made-up address. A name's other records are said not to be there.
func (s *Server) answer(message []byte) []byte {
	var p dnsmessage.Parser
	header, err := p.Start(message)
	if err != nil || header.Response {
		return nil
	}
	question, err := p.Question()
	if err != nil {
		return reply(header, nil, netip.Addr{}, dnsmessage.RCodeFormatError)
	}
	host := canonical(question.Name.String())
	switch {
	case header.OpCode != 0 || question.Class != dnsmessage.ClassINET:
		return reply(header, &question, netip.Addr{}, dnsmessage.RCodeNotImplemented)
	case !s.rules.knows(host): // nothing is asked outside: a question would carry data to whoever serves the name
		s.refuseName(host)
		return reply(header, &question, netip.Addr{}, dnsmessage.RCodeNameError)
	case question.Type == dnsmessage.TypePTR:
		return reply(header, &question, netip.Addr{}, dnsmessage.RCodeNameError)
	case question.Type != dnsmessage.TypeA:
		return reply(header, &question, netip.Addr{}, dnsmessage.RCodeSuccess)
	}
	addrs, err := s.lookup(host)
	var notFound *net.DNSError
	switch {
	case errors.As(err, &notFound) && notFound.IsNotFound:
		return reply(header, &question, netip.Addr{}, dnsmessage.RCodeNameError)
	case err != nil:
		return reply(header, &question, netip.Addr{}, dnsmessage.RCodeServerFailure)
	}
	return reply(header, &question, s.names.put(host, addrs, time.Now()), dnsmessage.RCodeSuccess)
}

// refuseName counts a question for a name that is not listed, and says so the first time.
func (s *Server) refuseName(host string) {
	if s.contacts.refused(host) {
		s.log.Warn("a name is not on the list of what this connector may reach", zap.String("name", host))
	}
}

// lookup returns what host leads to: itself if it is an address, else what was found outside within the last minute, else what is now.
func (s *Server) lookup(host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr}, nil
	}
	if addrs, ok := s.names.known(host, time.Now()); ok {
		return addrs, nil
	}
	ctx, cancel := context.WithTimeout(s.ctx, lookupTimeout)
	defer cancel()
	query := host + "." // the household's search domains are none of a connector's business
	if slices.ContainsFunc(s.rules.grants, func(g endpoint) bool { return g.host == host }) {
		query = host
	}
	return s.resolver.LookupNetIP(ctx, "ip", query)
}

func reply(to dnsmessage.Header, question *dnsmessage.Question, addr netip.Addr, code dnsmessage.RCode) []byte {
	b := dnsmessage.NewBuilder(nil, dnsmessage.Header{
		ID: to.ID, Response: true, OpCode: to.OpCode, RecursionDesired: to.RecursionDesired, RecursionAvailable: true, RCode: code,
	})
	b.EnableCompression()
	err := b.StartQuestions()
	if question != nil {
		err = errors.Join(err, b.Question(*question))
	}
	if addr.IsValid() {
		err = errors.Join(err, b.StartAnswers(), b.AResource(
			dnsmessage.ResourceHeader{Name: question.Name, Class: dnsmessage.ClassINET, TTL: answerTTL},
			dnsmessage.AResource{A: addr.As4()}))
	}
	message, finishErr := b.Finish()
	if errors.Join(err, finishErr) != nil {
		return nil
	}
	return message
}
