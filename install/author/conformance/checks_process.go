package conformance

import (
	"context"
	"errors"
	"fmt"

	"majordomo/sandbox"
)

// checkExit: a server ends when its input does.
func checkExit(t *trial) (string, error) {
	switch stage := t.wire.box.Stop(context.Background(), sandbox.Grace{}); stage {
	case sandbox.StageGone:
		return "", t.wire.gone()
	case sandbox.StageStdin:
		if exit := t.wire.box.Exit(); exit.Code != 0 {
			return "", warn("it left, but %s", exitText(exit)+t.wire.lastWords())
		}
		return "left with code 0", nil
	default:
		return "", errors.New("it still ran 3s after its standard input was closed, and had to be killed")
	}
}

// checkStdout tells of everything that any of the processes printed and should not have.
func (t *trial) checkStdout() {
	switch {
	case len(t.noise) > 0:
		t.add("stdout", "", fmt.Errorf("it printed %d lines that are not one JSON-RPC message each, the first: %s", len(t.noise), t.noise[0]))
	case len(t.strays) > 0:
		t.add("stdout", "", fmt.Errorf("it gave %d answers to nothing that was asked, the first: %s", len(t.strays), t.strays[0]))
	default:
		t.add("stdout", "nothing but JSON-RPC", nil)
	}
}
