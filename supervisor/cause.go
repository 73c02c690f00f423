package supervisor

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"majordomo/deps"
	"majordomo/sandbox"
	"majordomo/sandbox/runtimes"
)

// CauseKind is what sort of thing went wrong.
type CauseKind string

// The kinds of causes.
const (
	CauseMissingFile   CauseKind = "missing_file"    // what it is started with is not there
	CauseMissingModule CauseKind = "missing_module"  // a dependency that it does not declare
	CauseInterpreter   CauseKind = "bad_interpreter" // this host cannot run it
	CauseExit          CauseKind = "exit_code"       // it ended by itself
	CauseSignal        CauseKind = "signal"          // it was killed, or crashed
	CauseOOM           CauseKind = "oom"             // it wanted more memory than it may have
	CauseMemberOOM     CauseKind = "member_oom"      // all connectors of its member together wanted more
	CauseDisk          CauseKind = "disk"            // it has more on disk than it may, or filled the disk
	CauseStartLimit    CauseKind = "start_limit"     // it was not ready in time
	CauseProtocol      CauseKind = "protocol"        // it runs, but nobody can talk to it
	CauseTools         CauseKind = "no_tools"        // it runs, and lists no tools where it had some; of a notice only
	CauseSandbox       CauseKind = "sandbox"         // its sandbox could not be built
	CauseDependencies  CauseKind = "dependencies"    // npm or pip did not bring what it needs
	CauseSetup         CauseKind = "setup"           // a person has to install or fill in something
	CauseBudget        CauseKind = "budget"          // a bound of the daemon's does not let it start
	CauseOther         CauseKind = "other"
)

// Cause is why a connector does not run, or stopped running.
type Cause struct {
	Kind CauseKind
	Text string    // what happened, without secrets
	Next string    // what a person can do about it
	Said []string  // the last lines of its process, without secrets
	At   time.Time // when it happened
}

// StartLimitError says that a connector was not ready in time.
type StartLimitError struct {
	Limit time.Duration // from the start of its process to its tools listed
	Err   error         // how far it had come
}

func (e *StartLimitError) Error() string {
	said := fmt.Sprintf("it was not ready within %v of its start", e.Limit)
	if errors.Is(e.Err, context.DeadlineExceeded) { // which says the same
		return said
	}
	return said + ": " + e.Err.Error()
}

// Unwrap returns how far it had come.
func (e *StartLimitError) Unwrap() error { return e.Err }

// HandshakeError says that a process runs, but does not speak as it should.
type HandshakeError struct{ Err error }

func (e *HandshakeError) Error() string { return fmt.Sprintf("its handshake failed: %v", e.Err) }

// Unwrap returns what was wrong.
func (e *HandshakeError) Unwrap() error { return e.Err }

// kindOf classifies an error by its type. For a process that ended by itself
// before it was ever ready, what it said last counts too.
func kindOf(err error, said []string, served bool) CauseKind {
	exit, exited := errors.AsType[*ExitError](err)
	switch {
	case overDisk(err):
		return CauseDisk
	case is[*StartLimitError](err):
		return CauseStartLimit
	case is[*runtimes.MissingError](err):
		return CauseInterpreter
	case is[*deps.InstallError](err):
		return CauseDependencies
	case is[*BudgetError](err):
		return CauseBudget
	case is[settled](err):
		return CauseSetup
	case exited && served:
		return exitKind(exit.Exit)
	case exited:
		return saidKind(exit.Exit, strings.Join(said, "\n"))
	case is[*sandbox.StartError](err):
		return CauseSandbox
	case is[*HandshakeError](err), served:
		return CauseProtocol
	}
	return CauseOther
}

// overDisk reports whether a start was refused for what the connector has on disk.
func overDisk(err error) bool {
	e, ok := errors.AsType[*sandbox.StartError](err)
	return ok && e.Layer == sandbox.Disk
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func exitKind(e sandbox.Exit) CauseKind {
	switch {
	case e.Disk != "":
		return CauseDisk
	case e.Pool:
		return CauseMemberOOM
	case e.OOM:
		return CauseOOM
	case e.Signal != "":
		return CauseSignal
	}
	return CauseExit
}

// tells are what interpreters say when they cannot even begin, the first that
// fits counts. Node calls its own entry file a module, by its whole path.
var tells = []struct {
	says *regexp.Regexp
	kind CauseKind
}{
	{regexp.MustCompile(`(?i)bad interpreter|exec format error`), CauseInterpreter},
	{regexp.MustCompile(`(?i)can't open file|cannot find module '/|can't open '?/`), CauseMissingFile},
	{regexp.MustCompile(`(?i)ModuleNotFoundError|no module named|ERR_MODULE_NOT_FOUND|cannot find (module|package)|ImportError`), CauseMissingModule},
	{regexp.MustCompile(`(?i)no such file or directory|ENOENT`), CauseMissingFile},
}

// What a shell exits with where a program cannot be run, or is not there.
const (
	shellCannotRun    = 126
	shellFoundNothing = 127
)

// saidKind looks at how a process ended that was never ready.
func saidKind(e sandbox.Exit, said string) CauseKind {
	kind := exitKind(e)
	if kind != CauseExit {
		return kind
	}
	for _, t := range tells {
		if t.says.MatchString(said) {
			return t.kind
		}
	}
	switch e.Code {
	case shellCannotRun:
		return CauseInterpreter
	case shellFoundNothing:
		return CauseMissingFile
	}
	return kind
}
