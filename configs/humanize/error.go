// Package humanize words for people what machines say: what the operating system or the network answered, and how many bytes something
// has.
//
// It must never be the whole of a message: whoever calls says what could not be done, and to what. It starts no goroutines.
package humanize

import (
	"crypto/x509"
	"errors"
	"net"
	"syscall"
)

// words of what people meet; what is missing here is shown as it is.
var words = []struct {
	errno syscall.Errno
	words string
}{
	{syscall.ENOENT, "there is no such file or directory"},
	{syscall.EACCES, "permission denied"},
	{syscall.EPERM, "permission denied"},
	{syscall.EROFS, "the file system is read-only"},
	{syscall.ENOSPC, "no space is left on the disk"},
	{syscall.EDQUOT, "the disk quota is used up"},
	{syscall.ENOTDIR, "a part of the path is a file"},
	{syscall.EISDIR, "it is a directory"},
	{syscall.EADDRINUSE, "another program has that address"},
	{syscall.EADDRNOTAVAIL, "this machine has no such address"},
	{syscall.ECONNREFUSED, "nothing listens there"},
	{syscall.ECONNRESET, "the connection was cut off"},
	{syscall.ETIMEDOUT, "it does not answer"},
	{syscall.ENETUNREACH, "this machine has no network that leads there"},
	{syscall.EHOSTUNREACH, "this machine has no network that leads there"},
}

// Error says err in plain words where it knows some, and wraps it: errors.Is and errors.As see what they saw before. All
// that the standard library put in front of the system's own error, such as the name of the call, is left out, so it is for errors
// that come straight from a call. Nil for nil.
func Error(err error) error {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return &worded{lookup(dns), err}
	}
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return &worded{"its certificate is by an authority that this machine does not know", err}
	}
	for _, w := range words {
		if errors.Is(err, w.errno) {
			return &worded{w.words, err}
		}
	}
	return err
}

func lookup(e *net.DNSError) string {
	if e.IsNotFound {
		return "there is no host of the name " + e.Name
	}
	return "the name " + e.Name + " cannot be looked up: no name server answers"
}

type worded struct {
	words string
	error
}

func (w *worded) Error() string { return w.words }
func (w *worded) Unwrap() error { return w.error }
