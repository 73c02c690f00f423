package supervisor

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"
)

// advice is what a person can do about each kind of cause. ID and MEMBER stand
// for the connector and whose it is.
var advice = map[CauseKind]string{
	CauseMissingFile:   "its package lacks a file that it needs: look for a newer one with majordomo update ID, or tell its publisher",
	CauseMissingModule: "its package does not declare everything that it needs: look for a newer one with majordomo update ID, or tell its publisher",
	CauseInterpreter:   "see majordomo doctor, then majordomo restart ID --member MEMBER",
	CauseExit:          "majordomo logs ID --member MEMBER shows what it said; after a change, majordomo restart ID --member MEMBER",
	CauseSignal:        "majordomo logs ID --member MEMBER shows what it said; if nobody killed it, tell its publisher",
	CauseOOM:           "raise limits.memory in the configuration, or tell its publisher",
	CauseMemberOOM:     "stop what MEMBER does not need with majordomo stop, or raise limits.member_memory in the configuration",
	CauseDisk:          "remove what it does not need from its directory, or raise limits.disk in the configuration; then majordomo restart ID --member MEMBER",
	CauseStartLimit:    "if it is only slow, raise limits.start_timeout in the configuration; majordomo logs ID --member MEMBER shows what it said",
	CauseProtocol:      "it does not speak MCP as it should: tell its publisher, who can see it with majordomo author test",
	CauseTools:         "majordomo logs ID --member MEMBER shows what it said; it may have to be signed in again, or majordomo rollback ID brings the version before back",
	CauseSandbox:       "see majordomo doctor",
	CauseDependencies:  "majordomo doctor says whether the registry can be reached; then majordomo restart ID --member MEMBER",
	CauseSetup:         "give what is missing with majordomo activate ID --member MEMBER, or install it again",
	CauseBudget:        "stop what is not needed with majordomo stop, or raise that bound in the configuration",
	CauseOther:         "majordomo logs ID --member MEMBER shows what it said; then majordomo restart ID --member MEMBER",
}

// CauseKinds lists the kinds of causes.
func CauseKinds() []CauseKind { return slices.Sorted(maps.Keys(advice)) }

// What is said instead where a process that was never ready tells more than its kind.
const (
	adviceBackground = "it started nothing that stays, or left it in the background, where it is ended with what started it: its publisher has to " +
		"have the server run in its place; majordomo logs ID --member MEMBER shows what it said"
	adviceLog     = "see majordomo doctor, and make room on the disk of the state directory; it works all the same, but what it says is lost until then"
	adviceProgram = "it wants a program that is not there, on this host or for connectors: look for a newer one with majordomo update ID, or tell its publisher"
)

func (k key) advice(kind CauseKind, err error, served bool) string {
	text := advice[kind]
	if exit, ok := errors.AsType[*ExitError](err); ok && !served {
		switch {
		case kind == CauseExit && exit.Exit.Code == 0:
			text = adviceBackground
		case kind == CauseMissingFile && exit.Exit.Code == shellFoundNothing:
			text = adviceProgram
		}
	}
	return strings.NewReplacer("ID", k.connector, "MEMBER", k.member).Replace(text)
}

// because makes one sentence and one step of what went wrong.
func (i *instance) because(err error, f failure) Cause {
	said := i.log.tail()
	kind := kindOf(err, said, f.ready)
	return Cause{Kind: kind, Text: i.log.redact(err.Error()), Next: i.key.advice(kind, err, f.ready), Said: said, At: time.Now()}
}
