package supervisor

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"majordomo/mcpclient"
)

func shelfOf(connector string, tools ...string) shelf {
	s := shelf{connector: connector, in: &instance{}}
	for _, name := range tools {
		s.tools = append(s.tools, listed{Name: name})
	}
	return s
}

func names(c *catalogue) []string {
	var all []string
	for _, t := range c.tools {
		all = append(all, t.Name)
	}
	return all
}

func TestToolNames(t *testing.T) {
	long := strings.Repeat("x", 70)
	for _, c := range []struct {
		why     string
		shelves []shelf
		want    []string
	}{
		{"plain", []shelf{shelfOf("notes", "add", "list-all")}, []string{"mcp__notes__add", "mcp__notes__list-all"}},
		{"illegal characters, one _ each", []shelf{shelfOf("a.b", "x/y z", "é", "имя")},
			[]string{"mcp__a_b__x_y_z", "mcp__a_b___", "mcp__a_b_____"}},
		{"the exact name wins, whatever the order", []shelf{shelfOf("n", "a.b", "a_b")},
			[]string{"mcp__n__a_b_" + hash("n", "a.b"), "mcp__n__a_b"}},
		{"two altered to the same: both are told apart", []shelf{shelfOf("n", "a.b", "a/b")},
			[]string{"mcp__n__a_b_" + hash("n", "a.b"), "mcp__n__a_b_" + hash("n", "a/b")}},
		{"across connectors the older has it", []shelf{shelfOf("a", "b__c"), shelfOf("a__b", "c")},
			[]string{"mcp__a__b__c", "mcp__a__b__c_" + hash("a__b", "c")}},
		{"a connector's altered id yields", []shelf{shelfOf("a.b", "c"), shelfOf("a_b", "c")},
			[]string{"mcp__a_b__c_" + hash("a.b", "c"), "mcp__a_b__c"}},
		{"too long, differing at the end", []shelf{shelfOf("n", long+"1", long+"2")},
			[]string{distinctName("n", long+"1"), distinctName("n", long+"2")}},
		{"an empty name", []shelf{shelfOf("n", "")}, []string{"mcp__n__"}},
	} {
		if d := cmp.Diff(c.want, names(newCatalogue(c.shelves))); d != "" {
			t.Errorf("%s: %s", c.why, d)
		}
	}
}

func hash(connector, tool string) string {
	name := distinctName(connector, tool)
	return name[len(name)-8:]
}

// Every listed name is legal, unique and leads to its own tool, in whatever
// order a connector lists.
func TestEveryNameIsCallable(t *testing.T) {
	odd := []string{"", "a", "a.b", "a/b", "a_b", "a b", "🙂", "имя", strings.Repeat("y", 200), strings.Repeat("y", 201), "a\x00b", "\xff"}
	backward := slices.Clone(odd)
	slices.Reverse(backward)
	rule := regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	byTool := map[string]string{}
	for _, order := range [][]string{odd, backward} {
		c := newCatalogue([]shelf{shelfOf("one", order...), shelfOf("two.x", order...), shelfOf("two_x", order...)})
		if len(c.tools) != 3*len(odd) || len(c.byName) != len(c.tools) {
			t.Errorf("%d tools, %d names, want %d", len(c.tools), len(c.byName), 3*len(odd))
		}
		for _, tool := range c.tools {
			if !rule.MatchString(tool.Name) {
				t.Errorf("%q is no legal name", tool.Name)
			}
			real := tool.Connector + "\x00" + c.byName[tool.Name].tool
			if before, ok := byTool[real]; ok && before != tool.Name {
				t.Errorf("%q is called %q or %q, as the order is", real, before, tool.Name)
			}
			byTool[real] = tool.Name
		}
	}
	if len(slices.Collect(maps.Keys(byTool))) != 3*len(odd) {
		t.Errorf("%d tools are reachable, want %d", len(byTool), 3*len(odd))
	}
}

func TestList(t *testing.T) {
	got := list([]mcpclient.Tool{
		{Name: "send_message", Title: "Its own"},
		{Name: "login_status"}, {Name: "logout"}, // never for agents
		{Name: "get-qr_code"},
		{Name: "titled", Title: "Its own"},
		{Name: "titled", Title: "a second of the same name"},
		{Name: "_"},
		{Name: "über"},
	}, map[string]string{"send_message": "Send Message"})
	want := []string{"send_message Send Message", "get-qr_code Get Qr Code", "titled Its own", "_ _", "über Über"}
	var have []string
	for _, l := range got {
		have = append(have, l.Name+" "+l.Title)
	}
	if d := cmp.Diff(want, have); d != "" {
		t.Error(d)
	}
}

// What is remembered of a listing is what the connector wrote.
func TestListKeepsBytes(t *testing.T) {
	raw := []byte(`{"name":"x","description":"a<b&c>d","inputSchema":{"type":"object"},"big":12345678901234567890}`)
	data, err := encodeList([]listed{{Name: "x", Raw: raw, InputSchema: []byte(`{"type":"object"}`)}})
	if err != nil {
		t.Fatal(err)
	}
	back, err := decodeList(data)
	if err != nil || string(back[0].Raw) != string(raw) {
		t.Errorf("got %s (%v)", back[0].Raw, err)
	}
}
