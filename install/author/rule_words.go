package author

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"majordomo/configs/manifest"
)

// maxLLM is how long the line for the model may be, in characters: it is in every
// prompt.
const maxLLM = 200

// checkDescription: what people read (guide §1e).
func checkDescription(s subject, n notes) {
	if s.fragment.str("user_description") == "" {
		n.warn(inFragment("user_description"), "say in a sentence what people get", "there is none for the catalogue")
	}
	if text(first(s.manifest.list("docs")), "description") == "" {
		n.warn(inManifest("docs[0].description"), "say in a sentence what people get", "there is none")
	}
}

func first(list []any) any {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// checkLLMDescription: one line that says what the connector does, and not which
// tools it has (guide §1c).
func checkLLMDescription(s subject, n notes) {
	at := inManifest("docs[0].llm_short_description")
	fix := `say in one line what it does, such as "Weather: current conditions and forecasts for any place"`
	line := text(first(s.manifest.list("docs")), "llm_short_description")
	if line == "" {
		n.warn(at, fix, "there is none, so a model has nothing to choose this connector by")
		return
	}
	if strings.ContainsAny(line, "\r\n") || utf8.RuneCountInString(line) > maxLLM {
		n.warn(at, fix, "it is longer than one line of %d characters", maxLLM)
	}
	named := 0
	for _, tool := range s.manifest.list("tools") {
		if name := text(tool, "name"); name != "" && strings.Contains(line, name) {
			named++
		}
	}
	if named > 1 {
		n.warn(at, fix, "it lists tools, which a model learns by itself")
	}
}

// checkToolNames: the display names of tools (guide §2a).
func checkToolNames(s subject, n notes) {
	if !s.fragment.empty("tools") && s.manifest.empty("tools") {
		n.warn(inFragment("tools"), "put them into connector.json", "they are only here, where nobody reads them")
	} else if !s.fragment.empty("tools") && !sameValue(s.fragment.members["tools"], s.manifest.members["tools"]) {
		n.warn(inFragment("tools"), "say the same in both, or only in connector.json", "they are others than in %s, which counts", manifest.Name)
	}
	seen := map[string]bool{}
	for i, tool := range s.manifest.list("tools") {
		name := text(tool, "name")
		for _, key := range []string{"name", "display_name"} {
			if text(tool, key) == "" {
				n.warn(inManifest("tools[%d].%s", i, key), "give the name as tools/list has it, and the name for people", "there is none")
			}
		}
		if seen[name] && name != "" {
			n.warn(inManifest("tools[%d].name", i), "name each tool once", "%q is there twice", name)
		}
		seen[name] = true
	}
}

// requireWords are shown as tags (guide §3); each is due when it is true of the
// connector.
var requireWords = []struct {
	word string
	due  func(subject) string // why, or ""
}{
	{"NODE", func(s subject) string { return runsOn(s, "node") }},
	{"PYTHON", func(s subject) string { return runsOn(s, "python") }},
	{"ENV", func(s subject) string {
		for _, e := range s.release.Env {
			if e.Required && !e.Secret {
				return "it needs " + e.Name + " from the form"
			}
		}
		return ""
	}},
	{"API_KEY", func(s subject) string { return signsIn(s, "api_key") }},
	{"OAUTH", func(s subject) string { return signsIn(s, "oauth") }},
	{"DOCKER", func(subject) string { return "" }},
}

func runsOn(s subject, command string) string {
	if strings.HasPrefix(s.release.Command, command) {
		return "it runs on " + s.release.Command
	}
	return ""
}

func signsIn(s subject, kind string) string {
	if s.release.Auth.Kind == kind {
		return "auth.type is " + s.manifest.str("auth", "type")
	}
	return ""
}

func checkRequires(s subject, n notes) {
	known, has := map[string]bool{}, map[string]bool{}
	for _, w := range requireWords {
		known[w.word] = true
	}
	for i, v := range s.manifest.list("requires") {
		word := fmt.Sprint(v)
		has[word] = true
		switch {
		case word == "SECRETS_DIR":
			n.warn(inManifest("requires[%d]", i), "declare env[] fields instead", "SECRETS_DIR is no longer part of the format")
		case !known[word]:
			n.warn(inManifest("requires[%d]", i), "use API_KEY, ENV, NODE, PYTHON, OAUTH or DOCKER", "%q is not one of the words that people know", word)
		}
	}
	for _, w := range requireWords {
		if why := w.due(s); why != "" && !has[w.word] {
			n.warn(inManifest("requires"), "add it in both documents", "%s is missing: %s", w.word, why)
		}
	}
}
