package initproc

import (
	"reflect"
	"testing"
)

// TestEveryFieldTravels gives every field of what travels a value of its own: one that layout.go forgets comes back as zero.
func TestEveryFieldTravels(t *testing.T) {
	config, count := Config{}, 0
	fill(reflect.ValueOf(&config).Elem(), &count)
	var got Config
	if err := got.unmarshal(config.Marshal()); err != nil || !reflect.DeepEqual(got, config) {
		t.Errorf("the configuration arrived as\n%+v, %v, not as\n%+v", got, err, config)
	}
	for field := range reflect.TypeFor[Message]().NumField() {
		var m, got Message
		fill(reflect.ValueOf(&m).Elem().Field(field), &count)
		if m.Applied != nil {
			m.Applied.Sockets.FDs = nil // these travel beside the packet
		}
		if err := got.Unmarshal(m.marshal()); err != nil || !reflect.DeepEqual(got, m) {
			t.Errorf("a message arrived as\n%+v, %v, not as\n%+v", got, err, m)
		}
	}
}

// fill sets all of v to values that differ from zero and, where the type has room, from each other.
func fill(v reflect.Value, count *int) {
	*count++
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), count)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), count)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i), count)
		}
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{"\xff": "not UTF-8", "": ""}))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString("\x00\xff" + string(rune(*count)))
	case reflect.Int, reflect.Int64:
		v.SetInt(-int64(*count) << 33)
	default:
		v.SetUint(uint64(*count) | 1<<(v.Type().Bits()-1))
	}
}

// TestDamagedPacket cuts a packet at every byte, and adds one.
func TestDamagedPacket(t *testing.T) {
	config, count := Config{}, 0
	fill(reflect.ValueOf(&config).Elem(), &count)
	whole := config.Marshal()
	for end := range whole {
		if err := new(Config).unmarshal(whole[:end]); err == nil {
			t.Errorf("a packet cut after %d of %d bytes was taken", end, len(whole))
		}
	}
	if err := new(Config).unmarshal(append(whole, 0)); err == nil {
		t.Error("a packet with something left over was taken")
	}
}
