package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/png"
	"strings"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
	"rsc.io/qr"
)

// drawQR turns the PNG that a connector hands out into half blocks for a terminal. The picture is read and made anew,
// because a terminal has no use for its size, margin and logo.
func drawQR(dataURL string) (string, error) {
	content, err := readQR(dataURL)
	if err != nil {
		return "", err
	}
	code, err := qr.Encode(content, qr.L)
	if err != nil {
		return "", err
	}
	const margin = 2
	dark := func(x, y int) bool { return code.Black(x, y) }
	var b strings.Builder
	for y := -margin; y < code.Size+margin; y += 2 {
		for x := -margin; x < code.Size+margin; x++ {
			b.WriteString(halfBlock(dark(x, y), dark(x, y+1)))
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// halfBlock is two modules above each other. Light modules are drawn, dark ones left out: most terminals are dark, and
// scanners take a code the wrong way round where they do not take one without a margin.
func halfBlock(upperDark, lowerDark bool) string {
	switch {
	case upperDark && lowerDark:
		return " "
	case upperDark:
		return "▄"
	case lowerDark:
		return "▀"
	}
	return "█"
}

// maxPixels keeps a connector's picture from filling the memory when it is unpacked.
const maxPixels = 4 << 20

// readQR decodes the picture of a data URL, or of bare base64.
func readQR(dataURL string) (string, error) {
	_, encoded, found := strings.Cut(dataURL, ";base64,")
	if !found {
		encoded = dataURL
	}
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return "", fmt.Errorf("the connector sent no base64 picture: %w", err)
	}
	size, err := png.DecodeConfig(bytes.NewReader(data))
	if err == nil && size.Width*size.Height > maxPixels {
		err = fmt.Errorf("it is %d by %d", size.Width, size.Height)
	}
	if err != nil {
		return "", fmt.Errorf("the connector sent no PNG picture of a code: %w", err)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return "", fmt.Errorf("the connector sent no PNG picture: %w", err)
	}
	bitmap, err := gozxing.NewBinaryBitmapFromImage(picture)
	if err != nil {
		return "", err
	}
	// Most pictures are drawn and clean; guessing where the code lies in one, as in a photograph, sometimes guesses wrong.
	drawn := map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_PURE_BARCODE: true}
	result, err := qrcode.NewQRCodeReader().Decode(bitmap, drawn)
	if err != nil {
		result, err = qrcode.NewQRCodeReader().Decode(bitmap, nil)
	}
	if err != nil {
		return "", fmt.Errorf("there is no QR code in the picture: %w", err)
	}
	return result.GetText(), nil
}
