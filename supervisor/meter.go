package supervisor

import (
	"errors"
	"time"

	"majordomo/mcpclient"
)

// Meter counts what happens; package metrics does. It must not block. It has a
// method for each of the four things that are counted, and nothing else.
type Meter interface {
	// Started is told of each start: from the process to its tools listed, or to its failure.
	Started(took time.Duration, ok bool)
	// Failed is told of each failure, and Restarted of each try that follows one by itself.
	Failed(kind CauseKind)
	Restarted(kind CauseKind)
	// Called is told of each call that reached a process, with the bytes of its arguments and of its result.
	Called(took time.Duration, outcome Outcome, sent, received int)
}

// Outcome is what became of a call.
type Outcome string

// The outcomes of a call.
const (
	CallAnswered Outcome = "answered" // the result may still say that the tool failed
	CallRefused  Outcome = "refused"  // with a JSON-RPC error
	CallLate     Outcome = "late"     // not answered in time
	CallLost     Outcome = "lost"     // the process went away meanwhile
	CallUnusable Outcome = "unusable" // the answer could not be read
	CallLeft     Outcome = "left"     // the caller did not wait
)

func outcomeOf(err error, callerLeft bool) Outcome {
	down, away := errors.AsType[*Unavailable](err)
	switch {
	case err == nil:
		return CallAnswered
	case callerLeft:
		return CallLeft
	case is[*mcpclient.RPCError](err):
		return CallRefused
	case away && down.State == Degraded:
		return CallLate
	case away:
		return CallLost
	}
	return CallUnusable
}

// unmetered is the Meter where nobody asked for one.
type unmetered struct{}

func (unmetered) Started(time.Duration, bool)             {}
func (unmetered) Failed(CauseKind)                        {}
func (unmetered) Restarted(CauseKind)                     {}
func (unmetered) Called(time.Duration, Outcome, int, int) {}
