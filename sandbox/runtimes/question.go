package runtimes

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

const (
	patience  = 30 * time.Second // for one answer: a cold disk, a busy machine and a version manager written in shell
	maxAnswer = 64 << 10
)

// question asks a program, outside every sandbox, what it really is, and reads the JSON of its last line: version
// managers like to print a word of their own before it.
func (f *Finder) question(ctx context.Context, answer any, argv ...string) error {
	line, err := f.say(ctx, argv...)
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(line), answer); err != nil {
		return fmt.Errorf("%s gave an answer that makes no sense: %q", argv[0], line)
	}
	return nil
}

// say returns the last line that the program prints. It runs in the root directory: a version manager looks for the
// version it should take in the working directory first.
func (f *Finder) say(ctx context.Context, argv ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if f.Inside != nil {
		out, err := f.Inside(ctx, argv)
		return lastLine(out), err
	}
	var out, errs capped
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = "/", f.environ(), &out, &errs, time.Second
	err := cmd.Run()
	if ctx.Err() != nil {
		return "", fmt.Errorf("%s did not answer: %w", argv[0], ctx.Err())
	}
	if err != nil {
		return "", fmt.Errorf("%s does not work: %w%s", argv[0], err, because(errs.String()))
	}
	return lastLine(out.String()), nil
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// because is the line that tells why a program failed, of all it had to say: the first, or the last of a Python traceback.
func because(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	line := lines[0]
	if strings.HasPrefix(line, "Traceback") {
		line = lines[len(lines)-1]
	}
	if line == "" {
		return ""
	}
	return ": " + line
}

// capped keeps the beginning of what is written to it.
type capped struct{ bytes.Buffer }

func (c *capped) Write(p []byte) (int, error) {
	room := min(len(p), maxAnswer-c.Len())
	c.Buffer.Write(p[:max(room, 0)])
	return len(p), nil
}
