// Package supervisor is the core of the daemon: who has what running, and the
// one door for a call.
//
//	api  gateway                 ask
//	   \  /
//	supervisor ── instance ── instance ── …   one goroutine owns one instance
//	   │              │
//	 organs        process       answers: a sandboxed connector
//	 (members, activations, vault: what is remembered)
//
// An activation is what a member wants, and is persisted. An instance is what
// runs for it, and is memory only. The core never starts a process by itself:
// it asks a Launcher, and what it asks of other rooms it names as interfaces
// (ports.go). It never shows a secret, and never lets one member's call reach
// another member's instance.
//
// What is wanted: activate.go, deactivate.go, activations.go, form.go, verify.go.
// Who there is: supervisor.go, registry.go, and boot.go, which brings them back. What
// runs: prepare.go makes the plan of a start, instance.go owns it, start.go brings it
// up, ask.go is how others ask it for something, lifecycle.go answers, stop.go and
// idle.go stop it, failure.go and ladder.go settle what becomes of one that failed,
// limits.go, budget.go and slots.go bound all of it, login.go follows a sign-in,
// journal.go keeps what it says, view.go and live.go are what others see of it. What
// went wrong: cause.go classifies, advice.go says what to do. What is told: events.go,
// notices.go, meter.go. What agents see: index.go, catalogue.go, naming.go, and door.go
// for the call itself. What people ask: people.go, instances.go, probe.go. What goes:
// remove.go, purge.go, unused.go. What an author tries out: develop.go runs it,
// devwatch.go tells of it, devend.go puts things back, devversion.go is what runs,
// devfiles.go where it lies.
//
// An instance goes this way; state.go has the same as a table, and no other step
// is made:
//
//	idle ──▶ preparing ──▶ starting ──▶ ready ⇄ degraded
//	 ▲ ▲          │  ▲          │         │        │
//	 │ └ stopping ◀──┼──────────┴─────────┴────────┤   stopped: by a person, the daemon, its idleness
//	 │            │  │          │         │        │
//	 │            ▼  │          ▼         ▼        ▼
//	 ├───────── backoff, failed ◀─────── crashed ◀─┘   its process ended by itself
//	 │               │
//	 └───────────────┘                                 stopped while nothing ran
//
// backoff waits for the next try, or for room to be left by others. failed has
// used up its tries, or trying soon cannot help: a slow retry, a call or a person
// wakes it.
//
// Goroutines: one per instance, owned by the Supervisor and gone when Stop
// returns; an instance owns the ones that prepare, start and poll for it.
package supervisor
