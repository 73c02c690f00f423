package supervisor

import (
	"bytes"
	"encoding/json"
	"fmt"

	"majordomo/mcpclient"
)

// listed is one tool as a connector listed it last. Its JSON form is remembered
// with the activation, so that tools stay listed while nothing runs.
type listed struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"` // already resolved
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"schema"`
	Raw         json.RawMessage `json:"raw"`
}

// list takes over what agents may see of a listing, without duplicates.
func list(tools []mcpclient.Tool, titles map[string]string) []listed {
	all := make([]listed, 0, len(tools))
	seen := map[string]bool{}
	for _, t := range tools {
		if hidden(t.Name) || seen[t.Name] {
			continue
		}
		seen[t.Name] = true
		all = append(all, listed{t.Name, title(titles[t.Name], t.Title, t.Name), t.Description, t.InputSchema, t.Raw})
	}
	return all
}

// encodeList keeps what connectors wrote as they wrote it, but for white space.
func encodeList(all []listed) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(all)
	return b.Bytes(), err
}

func decodeList(data json.RawMessage) ([]listed, error) {
	var all []listed
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("cannot read the remembered tools: %w", err)
	}
	return all, nil
}

// shelf is what one activation brings into its member's catalogue.
type shelf struct {
	connector string
	in        *instance
	tools     []listed
}

// target is where a call of a tool goes.
type target struct {
	in   *instance
	tool string // the connector's own name for it
}

// catalogue is every tool of one member. It is replaced, never changed.
type catalogue struct {
	tools  []Tool
	byName map[string]target
}

// newCatalogue names the tools of a member's shelves, oldest activation first.
// Where two tools want one name the one whose real name it is has it, else the
// older; so a name does not change when a connector lists in another order or a
// new one is activated.
func newCatalogue(shelves []shelf) *catalogue {
	owner := owners(shelves)
	c := &catalogue{byName: map[string]target{}}
	for _, s := range shelves {
		for _, l := range s.tools {
			name := plainName(s.connector, l.Name)
			if len(name) > maxToolName || owner[name] != (claim{s.connector, l.Name}) {
				name = distinctName(s.connector, l.Name)
			}
			if _, taken := c.byName[name]; taken {
				continue // two hashes met: the first stays callable
			}
			c.byName[name] = target{s.in, l.Name}
			c.tools = append(c.tools, Tool{
				Name: name, Title: l.Title, Connector: s.connector,
				Description: l.Description, InputSchema: l.InputSchema, Raw: l.Raw,
			})
		}
	}
	return c
}

// claim is a tool that wants a plain name.
type claim struct{ connector, tool string }

// owners says which tool has each plain name.
func owners(shelves []shelf) map[string]claim {
	owner := map[string]claim{}
	for _, exact := range []bool{true, false} {
		for _, s := range shelves {
			crowd := map[string]int{}
			for _, l := range s.tools {
				crowd[legal(l.Name)]++
			}
			for _, l := range s.tools {
				isExact := legal(l.Name) == l.Name && legal(s.connector) == s.connector
				name := plainName(s.connector, l.Name)
				if _, taken := owner[name]; taken || isExact != exact {
					continue
				}
				// Of several that were altered to the same, none has it.
				if exact || crowd[legal(l.Name)] == 1 {
					owner[name] = claim{s.connector, l.Name}
				}
			}
		}
	}
	return owner
}
