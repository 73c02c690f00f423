package api

import (
	"time"
)

// Member is one person of the household.
type Member struct {
	Name  string `json:"name"`
	UID   *int   `json:"uid"` // who they are on this machine; null = nobody
	Admin bool   `json:"admin"`
}

// Token says which agent token there is. The token itself is in the answer to its creation and nowhere else.
type Token struct {
	ID      string    `json:"id"`
	Member  string    `json:"member"`
	Name    string    `json:"name"`
	Created time.Time `json:"created"`
}

// NewToken is the answer to a token's creation.
type NewToken struct {
	ID    string `json:"id"`
	Token string `json:"token"`
}

// TokenRequest asks for an agent token.
type TokenRequest struct {
	Member string `json:"member"`
	Name   string `json:"name"`
}
