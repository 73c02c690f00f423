package declared

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// WithoutAddresses is a lockfile that says less of where its packages come from: an address is left out where foreign names a host
// for it and a digest says which bytes are meant. hosts are those named, sorted; without any the text is as it was.
func WithoutAddresses(text []byte, foreign func(address string) (host string)) (_ []byte, hosts []string) {
	var lock map[string]any
	decoder := json.NewDecoder(bytes.NewReader(withoutBOM(text)))
	decoder.UseNumber()
	if decoder.Decode(&lock) != nil {
		return text, nil
	}
	found := map[string]bool{}
	for _, part := range []string{"packages", "dependencies"} { // the second is version 1's
		dropAddresses(lock[part], foreign, found)
	}
	without, err := json.Marshal(lock)
	if err != nil || len(found) == 0 {
		return text, nil
	}
	return without, slices.Sorted(maps.Keys(found))
}

func dropAddresses(packages any, foreign func(string) string, found map[string]bool) {
	all, _ := packages.(map[string]any)
	for _, value := range all {
		p, _ := value.(map[string]any)
		address, _ := p["resolved"].(string)
		host := foreign(address)
		if _, digest := p["integrity"].(string); digest && host != "" {
			found[host] = true
			delete(p, "resolved")
		}
		dropAddresses(p["dependencies"], foreign, found)
	}
}
