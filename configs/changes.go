package configs

import "reflect"

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
