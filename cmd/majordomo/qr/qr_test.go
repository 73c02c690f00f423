package qr

import (
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	encoder "rsc.io/qr"
)

// The drawn code is looked at as a phone would: light on dark, turned round, and read.
func TestDrawnCodeCanBeRead(t *testing.T) {
	const content = "2@fresh-one-time-code,with/some+more=="
	code, err := encoder.Encode(content, encoder.M)
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := Draw(dataURL(code.PNG()))
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(dataURL(photograph(t, drawn)))
	if err != nil || got != content {
		t.Errorf("read %q (%v) from\n%s", got, err, drawn)
	}
}

func dataURL(png []byte) string {
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(png)
}

// photograph turns half blocks into a picture, 8 by 8 pixels for each module.
func photograph(t *testing.T, drawn string) []byte {
	t.Helper()
	const scale = 8
	rows := strings.Split(strings.TrimSuffix(drawn, "\n"), "\n")
	picture := image.NewGray(image.Rect(0, 0, scale*len([]rune(rows[0])), scale*2*len(rows)))
	for y, row := range rows {
		for x, block := range []rune(row) {
			for i := range 2 * scale * scale {
				light := block == '█' || block == '▀' && i < scale*scale || block == '▄' && i >= scale*scale
				if light {
					picture.SetGray(x*scale+i%scale, y*2*scale+i/scale, color.Gray{Y: 255})
				}
			}
		}
	}
	var b strings.Builder
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	return []byte(b.String())
}

// What is no picture of a code is an error, not a panic, and not memory without end.
func TestNotACode(t *testing.T) {
	empty := image.NewGray(image.Rect(0, 0, 64, 64))
	huge := image.NewGray(image.Rect(0, 0, 4096, 4096))
	for _, tt := range []struct {
		name, url, want string
	}{
		{"empty", "", "no data URL of a PNG"},
		{"another type", "data:image/gif;base64,R0lGODlh", "no data URL of a PNG"},
		{"cut off", dataURL(encode(t, empty))[:60], "cannot read the picture"},
		{"not base64", "data:image/png;base64,%%%", "no base64"},
		{"not a PNG", dataURL([]byte("GIF89a")), "no PNG"},
		{"no code in it", dataURL(encode(t, empty)), "no QR code"},
		{"too large to unpack", dataURL(encode(t, huge)), "4096 by 4096"},
	} {
		if _, err := Draw(tt.url); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q in it", tt.name, err, tt.want)
		}
	}
}

func encode(t *testing.T, picture image.Image) []byte {
	t.Helper()
	var b strings.Builder
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	return []byte(b.String())
}
