package sandbox

import (
	"os"
	"strings"
	"testing"
)

// A Spec is refused with everything that is wrong with it.
func TestValidateSaysEverything(t *testing.T) {
	s := Spec{
		Name: "../x", Env: []string{"A=1", "A=secret", "nothing", "N=\x00"}, Dir: "relative", UID: -1,
		Runtimes: []string{"/", "/root", "/home/bob", "/home/bob/.local", "x", "/etc"},
		Mounts: []Mount{
			{Source: "/", Target: "/root/x"},
			{Source: "x", Target: "/usr/x"},
			{Source: "/x", Target: "/"},
			{Source: "../x", Beneath: "/y", Target: "/root/../y"},
			{Source: "/x", Beneath: "/y", Target: "/root/z"},
			{Source: "/a", Target: "/root/same"},
			{Source: "/b", Target: "/root/same"},
			{Source: "/b", Target: "/proc/self"},
		},
		Network: "lan", AllowPrivate: []string{"registry"},
		Limits:   Limits{Memory: 1, Pids: 1, CPU: -1, Files: 1, Tmp: 1},
		Required: []Layer{"magic"},
	}
	err := s.Validate()
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{
		`name "../x"`, `argv: no program`, `env A: given twice`, `env[2]: not NAME=value`, `env N: contains a NUL byte`, `dir "relative"`, `uid -1`,
		`runtime "/"`, `runtime "/root"`, `runtime "/home/bob"`, `runtime "/home/bob/.local"`, `runtime "x"`, `runtime "/etc"`,
		`mount "/root/x": the source is the whole host`, `mount "/usr/x": lies where`, `mount "/usr/x": the source must be`, `mount "/": would cover`,
		`mount "/root/../y": want a clean`, `mount "/root/../y": the source must be a clean path that stays beneath`,
		`mount "/root/z": the source must be a clean path that stays beneath`, `mount "/root/same": given twice`, `mount "/proc/self": lies where`,
		`egress "lan" is not known`, `the private address "registry"`,
		`limit memory`, `limit pids`, `limit cpu`, `limit files`, `limit tmp`, `required "magic"`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("does not say %q", want)
		}
	}
	if strings.Contains(err.Error(), "secret") {
		t.Error("a value of the environment is in the message")
	}
}

func TestValidateUID(t *testing.T) {
	s := shell("true")
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
	if os.Geteuid() == 0 {
		s.UID = 0
	} else {
		s.UID = os.Geteuid() + 1
	}
	if err := s.Validate(); err == nil {
		t.Errorf("uid %d accepted", s.UID)
	}
}

func TestValidateSize(t *testing.T) {
	s := shell("true")
	s.Env = append(s.Env, "BIG="+strings.Repeat("x", maxArguments))
	if err := s.Validate(); err == nil || !strings.Contains(err.Error(), "argv and env") {
		t.Errorf("error %v", err)
	}
	s.Env = []string{"BIG=" + strings.Repeat("<\x01", maxArguments/2-100), "PATH=/usr/bin"} // what fits fits whatever it is made of
	succeed(t, openHost(t), s)
}
