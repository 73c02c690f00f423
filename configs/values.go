package configs

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Duration is written as Go writes durations: "300s", "5m".
type Duration time.Duration

// UnmarshalText refuses anything but a positive duration.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil || v <= 0 {
		return fmt.Errorf("%q is not a duration like \"300s\"", text)
	}
	*d = Duration(v)
	return nil
}

// Std is d as the standard library's type.
func (d Duration) Std() time.Duration { return time.Duration(d) }

// Pause is written as a Duration, or as "never", which is 0.
type Pause time.Duration

// UnmarshalText refuses anything but a positive duration and "never".
func (p *Pause) UnmarshalText(text []byte) error {
	if string(text) == "never" {
		*p = 0
		return nil
	}
	if err := (*Duration)(p).UnmarshalText(text); err != nil {
		return fmt.Errorf("%q is neither a duration like \"15m\" nor \"never\"", text)
	}
	return nil
}

// Std is p as the standard library's type.
func (p Pause) Std() time.Duration { return time.Duration(p) }

// Bytes is written as a number of bytes or with KiB, MiB or GiB: "512MiB".
type Bytes int64

// UnmarshalText refuses anything but a positive size that fits an int64.
func (b *Bytes) UnmarshalText(text []byte) error {
	number, shift := string(text), 0
	for suffix, bits := range map[string]int{"KiB": 10, "MiB": 20, "GiB": 30} {
		if rest, found := strings.CutSuffix(number, suffix); found {
			number, shift = strings.TrimSpace(rest), bits
			break
		}
	}
	v, err := strconv.ParseInt(number, 10, 64)
	if err != nil || v <= 0 || v > (1<<62)>>shift {
		return fmt.Errorf("%q is not a size like \"512MiB\"", text)
	}
	*b = Bytes(v << shift)
	return nil
}

// Total is written as Bytes, or as 0, which is none.
type Total int64

// UnmarshalText refuses anything but a size and 0.
func (t *Total) UnmarshalText(text []byte) error {
	if string(text) == "0" {
		*t = 0
		return nil
	}
	if err := (*Bytes)(t).UnmarshalText(text); err != nil {
		return fmt.Errorf("%q is neither a size like \"2GiB\" nor 0", text)
	}
	return nil
}
