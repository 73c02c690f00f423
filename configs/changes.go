package configs

import (
	"reflect"
	"slices"
	"strings"
)

// Changes names the keys that differ between two configurations, as they are written in the file: "limits.idle".
func Changes(a, b Config) []string {
	var keys []string
	differ("", reflect.ValueOf(a), reflect.ValueOf(b), &keys)
	return keys
}

func differ(prefix string, a, b reflect.Value, keys *[]string) {
	for i := range a.NumField() {
		tag := a.Type().Field(i).Tag.Get("toml")
		switch {
		case tag == "-":
		case a.Field(i).Kind() == reflect.Struct:
			differ(prefix+tag+".", a.Field(i), b.Field(i), keys)
		case !same(a.Field(i), b.Field(i)):
			*keys = append(*keys, prefix+tag)
		}
	}
}

// same takes a list or table that is empty for one that is not there.
func same(a, b reflect.Value) bool {
	if (a.Kind() == reflect.Slice || a.Kind() == reflect.Map) && a.Len() == 0 && b.Len() == 0 {
		return true
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

// atOnce are the keys that take effect while the daemon runs; anew are those of them for which connectors that run are
// started anew, because the limits of a process are set at its start.
var (
	atOnce = strings.Fields(`limits.memory limits.pids limits.cpu limits.start_timeout limits.call_timeout limits.call_ceiling
		limits.idle limits.idle_also limits.instances limits.member_instances limits.member_memory limits.member_pids limits.member_cpu limits.spawns_per_minute limits.starts`)
	anew = strings.Fields("limits.memory limits.pids limits.cpu limits.member_cpu")
)

// Apply is what a change from c to next comes to while the daemon runs.
type Apply struct {
	Config  Config   // c with what takes effect at once
	Now     []string // keys that take effect at once
	Restart bool     // connectors that run are started anew for it
	Later   []string // keys that take effect when the daemon is started anew
}

// Towards says what can be done now to come from c to next.
func (c Config) Towards(next Config) Apply {
	a := Apply{Config: c}
	for _, key := range Changes(c, next) {
		if !slices.Contains(atOnce, key) {
			a.Later = append(a.Later, key)
			continue
		}
		a.Now = append(a.Now, key)
		a.Restart = a.Restart || slices.Contains(anew, key)
	}
	take(reflect.ValueOf(&a.Config.Limits).Elem(), reflect.ValueOf(next.Limits), a.Now)
	return a
}

// take sets those limits that are among keys to what they are in next.
func take(limits, next reflect.Value, keys []string) {
	for i := range limits.NumField() {
		if slices.Contains(keys, "limits."+limits.Type().Field(i).Tag.Get("toml")) {
			limits.Field(i).Set(next.Field(i))
		}
	}
}
