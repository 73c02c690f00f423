package egress

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"majordomo/sandbox/egress/inside"
)

// Mode is what a connector may reach.
type Mode string

const (
	None Mode = "none" // nothing
	List Mode = "list" // Policy.Hosts, over TCP; of the others not even the names are known
	Open Mode = "open" // every public address, by name or number, over TCP
)

// Policy is what one sandbox may reach. It is plain data; its text form is Parse's.
type Policy struct {
	Mode         Mode     `json:"mode,omitempty"`
	Hosts        []string `json:"hosts,omitempty"`         // of List: host:port, a name or an address
	AllowPrivate []string `json:"allow_private,omitempty"` // host:port reached although private or loopback, such as a registry on the local network
}

// Ports are the TCP ports that Open serves where the kernel has no nftables redirect: web, mail, messaging, ssh, git.
func Ports() []uint16 {
	return []uint16{22, 25, 80, 110, 143, 443, 465, 587, 853, 993, 995, 1883, 3000, 5222, 5223, 5228, 6667, 6697, 8080, 8443, 8883, 9418}
}

// Plan returns what the sandbox's init has to prepare for the policy, or what is wrong with the policy.
func (p Policy) Plan() (inside.Plan, error) {
	switch p.Mode {
	case None:
		return inside.Plan{}, nil
	case List, Open:
	default:
		return inside.Plan{}, fmt.Errorf("cannot set up the network: policy %q is not known, only %q, %q and %q are", p.Mode, None, List, Open)
	}
	r, err := p.rules()
	if err != nil {
		return inside.Plan{}, err
	}
	batches, err := redirect()
	if err != nil {
		return inside.Plan{}, err
	}
	return inside.Plan{Serve: true, Listen: loopbackListeners(r.grants), Redirect: batches, Ports: r.ports()}, nil
}

// Validate says all that is wrong with the policy, or nil.
func (p Policy) Validate() error {
	var unknown error
	if !slices.Contains([]Mode{None, List, Open}, p.Mode) {
		unknown = fmt.Errorf("egress %q is not known, only %q, %q and %q are", p.Mode, None, List, Open)
	}
	_, err := p.rules()
	return errors.Join(unknown, err)
}

// Parse reads what people write: none, open, or list:host:port,host:port. A host without a port means port 443.
func Parse(text string) (Policy, error) {
	mode, hosts, listed := strings.Cut(text, ":")
	p := Policy{Mode: Mode(mode)}
	if listed && p.Mode != List {
		return p, fmt.Errorf("egress %q: only list takes hosts", text)
	}
	for _, host := range strings.Split(hosts, ",") {
		if host = strings.TrimSpace(host); host == "" {
			continue
		}
		if !strings.Contains(host, ":") {
			host += ":443"
		}
		p.Hosts = append(p.Hosts, host)
	}
	if p.Mode == List && len(p.Hosts) == 0 {
		return p, fmt.Errorf("egress %q: name the hosts, as in list:api.example.org:443,files.example.org, or use none", text)
	}
	return p, p.Validate()
}

// String is what Parse reads. Grants are not part of it.
func (p Policy) String() string {
	if p.Mode != List {
		return string(p.Mode)
	}
	return string(List) + ":" + strings.Join(p.Hosts, ",")
}
