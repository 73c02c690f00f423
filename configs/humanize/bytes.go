package humanize

import "fmt"

// Bytes says how many bytes n are: in the largest unit up to GiB that it reaches, and to a tenth of it where it is no whole number of
// them. n must not be negative.
func Bytes(n int64) string {
	unit, name := int64(1), "bytes"
	for _, larger := range []string{"KiB", "MiB", "GiB"} {
		if n < unit<<10 {
			break
		}
		unit, name = unit<<10, larger
	}
	if n%unit == 0 {
		return fmt.Sprintf("%d %s", n/unit, name)
	}
	return fmt.Sprintf("%.1f %s", float64(n)/float64(unit), name)
}
