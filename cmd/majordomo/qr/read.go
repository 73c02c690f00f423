// Package qr reads the pictures by which connectors are signed in to, as a phone would, and draws them on a terminal.
//
// A picture comes from a connector, so it is bounded before it is unpacked, and it is a credential, so it must never be
// kept or logged. No goroutines.
package qr

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/png"
	"strings"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
)

// maxPixels keeps a picture from filling the memory when it is unpacked.
const maxPixels = 4 << 20

// Read returns the text of the QR code in a data URL of a PNG.
func Read(dataURL string) (string, error) {
	picture, err := unpack(dataURL)
	if err != nil {
		return "", fmt.Errorf("cannot read the picture: %w", err)
	}
	bitmap, err := gozxing.NewBinaryBitmapFromImage(picture)
	if err != nil {
		return "", fmt.Errorf("cannot read the picture: %w", err)
	}
	// Most pictures are drawn and clean; guessing where the code lies in one, as in a photograph, sometimes guesses wrong.
	drawn := map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_PURE_BARCODE: true}
	result, err := qrcode.NewQRCodeReader().Decode(bitmap, drawn)
	if err != nil {
		result, err = qrcode.NewQRCodeReader().Decode(bitmap, nil)
	}
	if err != nil {
		return "", fmt.Errorf("cannot read the picture: there is no QR code in it: %w", err)
	}
	return result.GetText(), nil
}

func unpack(dataURL string) (image.Image, error) {
	encoded, ok := strings.CutPrefix(dataURL, "data:image/png;base64,")
	if !ok {
		return nil, errors.New("it is no data URL of a PNG")
	}
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, fmt.Errorf("it is no base64: %w", err)
	}
	size, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("it is no PNG: %w", err)
	}
	if size.Width*size.Height > maxPixels {
		return nil, fmt.Errorf("it is %d by %d pixels large", size.Width, size.Height)
	}
	return png.Decode(bytes.NewReader(data))
}
