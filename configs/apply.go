package configs

import (
	"reflect"
	"slices"
	"strings"
)

// live are the keys that take effect while the daemon runs. The others say where it listens, where connectors come from and how what they need
// is built, and which driver and users they run with: what is under way rests on these.
var live = strings.Fields(`sandbox.required sandbox.network
	limits.memory limits.pids limits.cpu limits.disk limits.disk_files limits.disk_reserve limits.start_timeout
	limits.message limits.message_of limits.messages limits.call_timeout limits.call_ceiling
	limits.idle limits.idle_also limits.instances limits.member_instances
	limits.member_memory limits.member_pids limits.member_cpu limits.spawns_per_minute limits.starts`)

// anew are those of them for which connectors that run are started anew, because what they say is fixed when a process starts.
var anew = strings.Fields(`sandbox.required sandbox.network limits.memory limits.pids limits.cpu limits.disk limits.disk_files
	limits.message limits.message_of limits.member_cpu`)

// Apply is what a change from c to next comes to while the daemon runs.
type Apply struct {
	Config  Config   // c with what takes effect at once
	Now     []string // keys that take effect at once
	Restart []string // those of them for which connectors that run, and that they concern, are started anew
	Later   []string // keys that take effect when the daemon is started anew
}

// Towards says what can be done now to come from c to next.
func (c Config) Towards(next Config) Apply {
	a := Apply{Config: c}
	for _, key := range Changes(c, next) {
		if !slices.Contains(live, key) {
			a.Later = append(a.Later, key)
			continue
		}
		a.Now = append(a.Now, key)
		if slices.Contains(anew, key) {
			a.Restart = append(a.Restart, key)
		}
	}
	take("", reflect.ValueOf(&a.Config).Elem(), reflect.ValueOf(next), a.Now)
	return a
}

// take sets those fields that are among keys to what they are in next.
func take(prefix string, c, next reflect.Value, keys []string) {
	for i := range c.NumField() {
		key := prefix + c.Type().Field(i).Tag.Get("toml")
		switch {
		case slices.Contains(keys, key):
			c.Field(i).Set(next.Field(i))
		case c.Field(i).Kind() == reflect.Struct:
			take(key+".", c.Field(i), next.Field(i), keys)
		}
	}
}
