package api

import (
	"time"

	"majordomo/deps"
)

// Package is one installed connector.
type Package struct {
	ID            string    `json:"id"`
	Name          string    `json:"name"`
	Version       int       `json:"version"`
	VersionString string    `json:"version_string"`
	InstalledAt   time.Time `json:"installed_at"`
	Digest        string    `json:"digest"` // SHA-256 over the list of its files
}

// Removed is what became of what a connector left behind.
type Removed struct {
	ID     string          `json:"id"`
	Kept   []Data          `json:"kept"`
	Purged []Data          `json:"purged"`
	Freed  []deps.Leftover `json:"freed"` // dependencies and downloads that only it needed
}

// Data is what a connector keeps for one member.
type Data struct {
	Member string `json:"member"`
	Path   string `json:"path"`
}

// Collected is what nothing needs any more, and is gone unless it was only asked for.
type Collected struct {
	Unused []deps.Leftover `json:"unused"`
	Bytes  int64           `json:"bytes"` // of all of it
}

// Progress is where a long operation stands. What cannot be known is absent: only a download has bytes, and a time to its
// end only once there is a speed to tell it from.
type Progress struct {
	Phase      string `json:"phase"`
	Message    string `json:"message"`          // what is done in it now
	Detail     string `json:"detail,omitempty"` // what npm or pip printed just now
	ElapsedMS  int64  `json:"elapsed_ms"`       // since phase and message are these
	Files      int    `json:"files,omitempty"`  // so far
	FilesTotal int    `json:"files_total,omitempty"`
	Bytes      int64  `json:"bytes,omitempty"` // so far
	BytesTotal int64  `json:"bytes_total,omitempty"`
	Percent    *int   `json:"percent,omitempty"` // of the bytes
	ETAMS      int64  `json:"eta_ms,omitempty"`  // until the phase ends
}
