package author

import (
	"bytes"
	"iter"
	"path"
	"slices"
	"strings"

	"majordomo/configs/manifest"
)

// adminOnly is true of what an admin enters and a public feed never holds, however
// it is spelt (guide §4c).
func adminOnly(key string) bool {
	key = strings.ReplaceAll(strings.ToLower(key), "_", "")
	return slices.Contains([]string{
		"clientid", "clientsecret", "authurl", "authuri", "authorizationurl", "tokenurl", "tokenuri", "redirecturi", "redirecturl",
	}, key)
}

// privateFiles are kept beside code by those who write it, and are nobody else's.
var privateFiles = []string{".env", ".npmrc", ".pypirc", ".netrc", "id_rsa", "id_ed25519"}

// checkPublicSecrets: whatever is in the folder is on a public feed.
func checkPublicSecrets(s subject, n notes) {
	for _, d := range []document{s.fragment, s.manifest} {
		for _, key := range sortedKeys(d.members) {
			if adminOnly(key) {
				n.adminOnly(place{d.name, key})
			}
		}
		n.secretsIn(place{d.name, "auth"}, d.value("auth"))
	}
	for i, e := range s.manifest.list("env") {
		if secret, _ := member(e, "secret").(bool); secret && text(e, "default") != "" {
			n.fail(inManifest("env[%d].default", i), "remove it", "a secret in a public feed is none")
		}
	}
	for _, f := range s.files {
		data, err := read(s.root, path.Join(s.folder, f.Path), 64<<10)
		key := slices.Contains([]string{".pem", ".key", ".p8"}, path.Ext(f.Path)) && err == nil && bytes.Contains(data, []byte("PRIVATE KEY-----"))
		if key || slices.Contains(privateFiles, path.Base(f.Path)) {
			n.fail(place{f.Path, ""}, "take it out of the folder, and replace the secrets in it if it was ever published", "it would be on a public feed")
		}
	}
}

// secretsIn looks for what is the admin's in an object and in those inside it.
func (n notes) secretsIn(at place, v any) {
	o, _ := v.(map[string]any)
	for _, key := range sortedKeys(o) {
		inner := place{at.file, at.path + "." + key}
		if adminOnly(key) {
			n.adminOnly(inner)
		}
		n.secretsIn(inner, o[key])
	}
}

func (n notes) adminOnly(at place) {
	n.fail(at, "remove it: name only the provider, the scopes and deliver", "it is for the admin to enter and has no place in a public feed")
}

// code is the text of the shipped programs by name. Lockfiles and documents are none.
func (s subject) code() iter.Seq2[string, string] {
	return func(yield func(name, text string) bool) {
		for _, f := range s.files {
			if f.HostOnly() || !slices.Contains([]string{".py", ".js", ".mjs", ".cjs", ".ts", ".sh", ""}, path.Ext(f.Path)) {
				continue
			}
			data, err := read(s.root, path.Join(s.folder, f.Path), manifest.MaxFile)
			if err == nil && !yield(f.Path, string(data)) {
				return
			}
		}
	}
}
