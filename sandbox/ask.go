package sandbox

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// askUID runs nothing but questions.
const askUID = 65534

// Ask runs a program where connectors run, without network and with nothing of the host to see, and returns what it printed. It is how
// the interpreters of an image are found (runtimes.Finder.Inside).
func (h *Host) Ask(ctx context.Context, argv []string) (string, error) {
	s := Spec{Name: "question", Argv: argv, Dir: "/", Env: []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + Home}, UID: askUID, GID: askUID}
	s.Limits.Disk = Unwatched
	p, err := h.Start(ctx, s.withOwnIDs())
	if err != nil {
		return "", err
	}
	said := make(chan string, 1)
	go func() {
		text, _ := io.ReadAll(io.LimitReader(p.Stderr, 4<<10))
		_, _ = io.Copy(io.Discard, p.Stderr) // or the program would wait for us
		said <- strings.TrimSpace(string(text))
	}()
	out, err := finish(ctx, p)
	if exit := p.Exit(); err == nil && exit != (Exit{}) {
		err = fmt.Errorf("%s ended with exit code %d: %s", argv[0], exit.Code, <-said)
	}
	return string(out), err
}
