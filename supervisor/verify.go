package supervisor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"majordomo/configs/manifest"
	"majordomo/mcpclient/stderr"
)

// verify runs a connector's own check of the values in plan (guide §6). It
// returns nil when the release declares none or the check is content.
func (s *Supervisor) verify(ctx context.Context, p Plan) error {
	check := p.Package.Release.Verify
	if check == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, manifest.VerifyTimeout)
	defer cancel()
	out, err := s.o.Launcher.Run(ctx, p, Command{Shell: shellLine(check.Command, p.Package.Release.Env)})
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &VerifyError{p.Connector, fmt.Sprintf("it did not finish within %v", manifest.VerifyTimeout)}
	case err != nil:
		return fmt.Errorf("cannot run the check of %s: %w", p.Connector, err)
	}
	ok, message := verdict(out)
	if !ok {
		redact := stderr.Redactor(reveal(p.Secrets))
		return &VerifyError{p.Connector, redact(message)}
	}
	return nil
}

// verdict reads what a check printed: one JSON object whose "ok" counts, else
// the exit code. A check that says ok and then fails has failed.
func verdict(out Output) (ok bool, message string) {
	ok = out.Exit.Code == 0 && out.Exit.Signal == ""
	if said, isJSON := object(out.Stdout); isJSON {
		if said.OK != nil {
			ok = ok && *said.OK
		}
		if said.Message != "" {
			return ok, lastLine(said.Message)
		}
	}
	for _, text := range []string{string(out.Stderr), string(out.Stdout)} {
		if text = lastLine(text); text != "" {
			return ok, text
		}
	}
	return ok, exitText(out.Exit)
}

type answer struct {
	OK      *bool  `json:"ok"`
	Message string `json:"message"`
}

func object(stdout []byte) (answer, bool) {
	var a answer
	text := bytes.TrimSpace(stdout)
	if len(text) == 0 || text[0] != '{' || json.Unmarshal(text, &a) != nil {
		return answer{}, false
	}
	return a, true
}

// lastLine is the last line of what a program said, for a sentence.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(text, "?")), "\n")
	line := strings.TrimSpace(lines[len(lines)-1])
	if cut := []rune(line); len(cut) > 300 {
		line = string(cut[:300]) + "…"
	}
	return line
}
