package configs

import "testing"

func TestScripts(t *testing.T) {
	for _, c := range []struct {
		text, name             string
		sharp, scoped, another bool
	}{
		{`"allow"`, "allow", true, true, true},
		{`"deny"`, "deny", false, false, false},
		{`[]`, "deny", false, false, false},
		{`["sharp", "@img/sharp-x", "sharp"]`, "only @img/sharp-x sharp", true, true, false},
	} {
		got, err := Load(Source{File: write(t, "[deps]\nscripts = "+c.text+"\n"), Getenv: none})
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		s := got.Deps.Scripts
		if s.String() != c.name || s.Allows("sharp") != c.sharp || s.Allows("@img/sharp-x") != c.scoped || s.Allows("x") != c.another {
			t.Errorf("%s became %q: %+v", c.text, s, s)
		}
	}
	if got, err := Load(Source{Getenv: none}); err != nil || got.Deps.Scripts.String() != "allow" || got.Deps.ScriptsNetwork {
		t.Errorf("unset it is %+v, %v", got.Deps, err)
	}
}
