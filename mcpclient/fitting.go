package mcpclient

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/mark3labs/mcp-go/mcp"
)

// What a connector says of itself decides nothing here but the version, so that
// a list where an object belongs, as PHP writes an empty one, must not stop it.

// fitting is the answer to a handshake without the members that mcp-go's types
// cannot hold.
func fitting(method string, result json.RawMessage) json.RawMessage {
	switch method {
	case "initialize":
		return members[mcp.InitializeResult](result)
	case string(mcp.MethodServerDiscover):
		return members[mcp.DiscoverResult](result)
	}
	return result
}

// members returns those members of an object that fit into a T, each as it is
// or else as an empty object.
func members[T any](object json.RawMessage) json.RawMessage {
	var all map[string]jsontext.Value
	var whole T
	if json.Unmarshal(object, &whole) == nil || unmarshal(object, &all) != nil {
		return object
	}
	kept := map[string]json.RawMessage{}
	for name, value := range all {
		v := json.RawMessage(value)
		if name == "capabilities" {
			v = members[mcp.ServerCapabilities](v)
		}
		for _, v := range []json.RawMessage{v, json.RawMessage("{}")} {
			var one T
			if json.Unmarshal(encoded(map[string]json.RawMessage{name: v}), &one) == nil {
				kept[name] = v
				break
			}
		}
	}
	return encoded(kept)
}

func encoded(object map[string]json.RawMessage) json.RawMessage {
	b, err := marshal(object)
	if err != nil {
		panic(err) // its values were decoded
	}
	return b
}
