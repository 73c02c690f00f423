package egress

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

func ask(t *testing.T, name string, kind dnsmessage.Type, class dnsmessage.Class) []byte {
	t.Helper()
	b := dnsmessage.NewBuilder(nil, dnsmessage.Header{ID: 7, RecursionDesired: true})
	if err := errors.Join(b.StartQuestions(), b.Question(dnsmessage.Question{Name: dnsmessage.MustNewName(name), Type: kind, Class: class})); err != nil {
		t.Fatal(err)
	}
	m, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

type brokenResolver struct{}

func (brokenResolver) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return nil, errors.New("no route to the name server")
}

func TestAnswers(t *testing.T) {
	w := newWorld(t, map[string][]string{"example.test": {"93.184.215.14"}, "inside.lan": {"10.0.0.1"}})
	for _, c := range []struct {
		why, name string
		kind      dnsmessage.Type
		class     dnsmessage.Class
		resolver  Resolver
		code      dnsmessage.RCode
		answers   int
	}{
		{"a name", "example.test.", dnsmessage.TypeA, dnsmessage.ClassINET, w, dnsmessage.RCodeSuccess, 1},
		{"in capitals", "EXAMPLE.test.", dnsmessage.TypeA, dnsmessage.ClassINET, w, dnsmessage.RCodeSuccess, 1},
		{"a private name: refused when connected to", "inside.lan.", dnsmessage.TypeA, dnsmessage.ClassINET, w, dnsmessage.RCodeSuccess, 1},
		{"a name that does not exist", "nowhere.test.", dnsmessage.TypeA, dnsmessage.ClassINET, w, dnsmessage.RCodeNameError, 0},
		{"when nobody knows", "example.test.", dnsmessage.TypeA, dnsmessage.ClassINET, brokenResolver{}, dnsmessage.RCodeServerFailure, 0},
		{"an IPv6 address: there is none", "example.test.", dnsmessage.TypeAAAA, dnsmessage.ClassINET, brokenResolver{}, dnsmessage.RCodeSuccess, 0},
		{"other records: none, and nothing is asked outside", "secret.example.test.", dnsmessage.TypeTXT, dnsmessage.ClassINET, brokenResolver{}, dnsmessage.RCodeSuccess, 0},
		{"a name for an address", "14.215.184.93.in-addr.arpa.", dnsmessage.TypePTR, dnsmessage.ClassINET, brokenResolver{}, dnsmessage.RCodeNameError, 0},
		{"another class", "example.test.", dnsmessage.TypeA, dnsmessage.ClassCHAOS, w, dnsmessage.RCodeNotImplemented, 0},
	} {
		t.Run(c.why, func(t *testing.T) {
			s := newServer(rules{mode: Open}, Options{Resolver: c.resolver})
			defer s.Close()
			var m dnsmessage.Message
			if err := m.Unpack(s.answer(ask(t, c.name, c.kind, c.class))); err != nil {
				t.Fatal(err)
			}
			if m.ID != 7 || !m.Response || m.RCode != c.code || len(m.Answers) != c.answers || len(m.Questions) != 1 {
				t.Errorf("answered %s", m.GoString())
			}
			if c.answers == 1 && !fakes.Contains(netip.AddrFrom4(m.Answers[0].Body.(*dnsmessage.AResource).A)) {
				t.Errorf("answered with %v", m.Answers[0].Body)
			}
		})
	}
}

func TestNames(t *testing.T) {
	n, now := newNames(), time.Unix(0, 0)
	first := n.put("a.test", nil, now)
	if again := n.put("a.test", nil, now); again != first {
		t.Errorf("one name, two addresses: %v, %v", first, again)
	}
	if _, ok := n.known("a.test", now.Add(fresh+1)); ok {
		t.Error("an old answer is used")
	}
	for i := range maxNames { // a.test is used all the while, b0.test is not
		n.put(fmt.Sprintf("b%d.test", i), nil, now)
		if host, ok := n.host(first); host != "a.test" || !ok {
			t.Fatalf("after %d names %v stands for %q", i, first, host)
		}
	}
	gone := first.Next()
	if host, ok := n.host(gone); ok {
		t.Errorf("the least recently used address still stands for %q", host)
	}
	if n.recent.Len() != maxNames || len(n.byFake) != maxNames || len(n.byName) != maxNames {
		t.Errorf("remembers %d, %d, %d names, want %d", n.recent.Len(), len(n.byFake), len(n.byName), maxNames)
	}
	n.last = netip.MustParseAddr("198.19.255.255") // the end of the range: what is free is used again, what is taken is not
	if got := n.put("c.test", nil, now); got != gone {
		t.Errorf("got %v, want %v", got, gone)
	}
}

// Whatever a connector sends, the answer is a message or nothing.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 'a', 0, 0, 1, 0, 1})
	f.Add([]byte{0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xc0, 12, 0, 1, 0, 1}) // a name that points to itself
	s := newServer(rules{mode: Open}, Options{Resolver: brokenResolver{}})
	f.Fuzz(func(t *testing.T, message []byte) {
		if answer := s.answer(message); answer != nil {
			var m dnsmessage.Message
			if err := m.Unpack(answer); err != nil {
				t.Errorf("%x was answered with %x: %v", message, answer, err)
			}
		}
	})
}
