package humanize_test

import (
	"testing"

	"majordomo/configs/humanize"
)

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 bytes", 10: "10 bytes", 1023: "1023 bytes", 1 << 10: "1 KiB", 64<<10 + 1: "64.0 KiB", 8 << 20: "8 MiB", 10485760: "10 MiB",
		1536 << 20: "1.5 GiB", 256 << 20: "256 MiB", 4 << 30: "4 GiB", 4<<30 + 100<<20: "4.1 GiB", 3 << 40: "3072 GiB",
	} {
		if got := humanize.Bytes(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
