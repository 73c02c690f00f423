package api

import (
	"time"
)

// Event is something that happened. Fields that its kind does not have are left out.
type Event struct {
	Number     uint64    `json:"number,omitempty"` // in the order in which they happened
	At         time.Time `json:"at"`
	Kind       string    `json:"kind"` // state | notice | config | lost
	Member     string    `json:"member,omitempty"`
	Connector  string    `json:"connector,omitempty"`
	From       string    `json:"from,omitempty"`
	To         string    `json:"to,omitempty"`
	Generation uint64    `json:"generation,omitempty"`
	Text       string    `json:"text,omitempty"`  // why
	Stage      string    `json:"stage,omitempty"` // how far a stop had to go
	Cause      string    `json:"cause,omitempty"`
	Next       string    `json:"next,omitempty"`
	Count      int       `json:"count,omitempty"` // of a notice: how many like it were not told; of lost: events
}
