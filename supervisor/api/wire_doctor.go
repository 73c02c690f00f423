package api

import (
	"majordomo/deps/delivery"
	"majordomo/sandbox"
)

// Doctor is what this host can do for connectors.
type Doctor struct {
	OK         bool                     `json:"ok"`      // connectors can be started
	Problem    string                   `json:"problem"` // why not; "" when ok
	Version    string                   `json:"version"`
	Driver     string                   `json:"driver"`
	State      string                   `json:"state"`
	Layers     []sandbox.Layer          `json:"layers"`
	Missing    []sandbox.Missing        `json:"missing"`
	Egress     string                   `json:"egress"` // what the open network lets out, in words
	Notes      map[sandbox.Layer]string `json:"notes"`  // what is less than usual about a layer in force
	Totals     []sandbox.Total          `json:"totals"` // those of all connectors of one member together that are configured
	Runtimes   []Runtime                `json:"runtimes"`
	Delivery   Delivery                 `json:"delivery"`
	Registries []Registry               `json:"registries"`
	Feed       FeedState                `json:"feed"`

	SelfTest []sandbox.SelfCheck `json:"self_test,omitempty"` // only where it was asked for
}

// Delivery is how what connectors run gets to them, which was found out by trying.
type Delivery struct {
	Way    delivery.Way `json:"way"`    // bind | reflink | copy
	Reason string       `json:"reason"` // why this one
}

// FeedState is which feed this daemon reads, and whether it checks signatures.
type FeedState struct {
	URL    string `json:"url"` // "" = none
	Signed bool   `json:"signed"`
}

// Registry is a package registry that this host is configured for, asked by the daemon outside every sandbox.
type Registry struct {
	Name      string `json:"name"` // npm | pip
	Reachable bool   `json:"reachable"`
	Error     string `json:"error"` // "" when reachable
}

// Runtime is one interpreter connectors may need.
type Runtime struct {
	Name    string `json:"name"`
	Found   bool   `json:"found"`
	Path    string `json:"path"`
	Version string `json:"version"`
	Fix     string `json:"fix"` // how to get it; "" when found
}
