package configs_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
)

func TestPairing(t *testing.T) {
	dir := unpack(t, "pairing")
	c := start(t, dir)
	c.fails("whoami", `{}`, "not paired")
	code := c.scan()
	c.fails("confirm", `{"code":"AAAA-AAAA"}`, "wrong code; tries left: 2")
	c.fails("confirm", `{}`, "must be a text")
	if again := c.scan(); again != code {
		t.Errorf("one wrong code changed the picture from %s to %s", code, again)
	}
	c.works("confirm", `{"code":"`+strings.ToLower(strings.ReplaceAll(code, "-", " "))+`"}`, "Paired") // as people type
	c.until("ready")
	device := c.works("whoami", `{}`, "Device ")
	c.fails("confirm", `{"code":"`+code+`"}`, "already paired")
	c.end()
	checkPrivate(t, filepath.Join(dir, "auth"), "session.json")

	again := start(t, dir)
	if s := again.status(); s.State != "ready" || s.QR != "" {
		t.Fatalf("after a restart it is %s", s.State)
	}
	if got := again.works("whoami", `{}`, "Device "); got != device {
		t.Errorf("after a restart it is %q, was %q", got, device)
	}
	again.works("logout", `{}`, "Logged out")
	if fresh := again.scan(); fresh == code {
		t.Error("after a logout the old code is back")
	}
	again.end()
	if _, err := os.Stat(filepath.Join(dir, "auth")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("logout left the session on disk: %v", err)
	}
}

// Guessing does not help: after three wrong codes the right one of before is worth nothing.
func TestPairingReplacesAGuessedCode(t *testing.T) {
	c := start(t, unpack(t, "pairing"))
	code := c.scan()
	c.fails("confirm", `{"code":"AAAA-AAAA"}`, "left: 2")
	c.fails("confirm", `{"code":"AAAA-AAAB"}`, "left: 1")
	c.fails("confirm", `{"code":""}`, "new picture")
	fresh := c.scan()
	if fresh == code {
		t.Fatal("the code is still the same")
	}
	c.fails("confirm", `{"code":"`+code+`"}`, "wrong code")
	c.works("confirm", `{"code":"`+fresh+`"}`, "Paired")
	c.end()
}

// A session that cannot be used is said to be so, and does not pass for a login; logging out starts over.
func TestPairingWithADamagedSession(t *testing.T) {
	for name, session := range map[string]string{"cut off": `{"device":"x`, "of another kind": `{}`, "null": `null`, "empty": ``} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := unpack(t, "pairing")
			auth := filepath.Join(dir, "auth")
			if err := os.Mkdir(auth, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(auth, "session.json"), []byte(session), 0o600); err != nil {
				t.Fatal(err)
			}
			c := start(t, dir)
			if s := c.status(); s.State != "logged_out" || s.Message == "" {
				t.Errorf("it is %+v", s)
			}
			c.fails("whoami", `{}`, "not paired")
			c.works("logout", `{}`, "")
			c.works("confirm", `{"code":"`+c.scan()+`"}`, "Paired")
			c.end()
		})
	}
}

// status is the answer of login_status (guide §4d).
type status struct{ State, QR, Message string }

func (c *connector) status() status {
	c.t.Helper()
	var s status
	c.decode([]byte(c.works("login_status", `{}`, "{")), &s)
	if (s.State == "need_scan") != (s.QR != "") {
		c.t.Fatalf("the state %s comes with the picture %q", s.State, s.QR)
	}
	return s
}

// until polls as a login panel does.
func (c *connector) until(state string) status {
	c.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for limit := time.After(30 * time.Second); ; {
		s := c.status()
		if s.State == state {
			return s
		}
		if s.State != "connecting" {
			c.t.Fatalf("the state is %s, want %s", s.State, state)
		}
		select {
		case <-tick.C:
		case <-limit:
			c.t.Fatalf("waited 30 s for %s", state)
		}
	}
}

// scan waits for the picture and reads it.
func (c *connector) scan() string {
	c.t.Helper()
	encoded, ok := strings.CutPrefix(c.until("need_scan").QR, "data:image/png;base64,")
	if !ok {
		c.t.Fatal("the picture is no data URL of a PNG")
	}
	text, err := readQR(encoded)
	if err != nil {
		c.t.Fatalf("cannot read the picture: %v", err)
	}
	return text
}

func readQR(encoded string) (string, error) {
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return "", err
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	bitmap, err := gozxing.NewBinaryBitmapFromImage(picture)
	if err != nil {
		return "", err
	}
	drawn := map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_PURE_BARCODE: true} // not a photograph
	result, err := qrcode.NewQRCodeReader().Decode(bitmap, drawn)
	if err != nil {
		return "", err
	}
	return result.GetText(), nil
}

// An independent reader reads what qr.js draws: codes of its kind, and every length there can be.
func TestQRCodes(t *testing.T) {
	script := `
const qr = require("./qr.js"), crypto = require("node:crypto"), all = [];
const code = () => crypto.randomBytes(5).toString("hex").toUpperCase().slice(0, 9);
for (let i = 0; i < 200; i++) all.push(code());
for (let n = 1; n <= 106; n++) all.push(crypto.randomBytes(80).toString("base64").slice(0, n));
all.push("ö€🥛");
console.log(JSON.stringify(all.map((text, i) => ({ text, png: qr.png(text, 1 + (i % 8)).toString("base64") }))));`
	run := exec.CommandContext(t.Context(), "node", "-e", script)
	run.Dir = unpack(t, "pairing")
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	var drawn []struct{ Text, PNG string }
	if err := json.Unmarshal(out, &drawn); err != nil {
		t.Fatal(err)
	}
	for i, d := range drawn {
		if got, err := readQR(d.PNG); err != nil || got != d.Text {
			t.Errorf("picture %d of %q reads %q (%v)", i, d.Text, got, err)
		}
	}
}

func TestQRCodeTooLong(t *testing.T) {
	run := exec.CommandContext(t.Context(), "node", "-e", fmt.Sprintf(`require("./qr.js").png("%s")`, strings.Repeat("x", 107)))
	run.Dir = unpack(t, "pairing")
	if out, err := run.CombinedOutput(); err == nil || !strings.Contains(string(out), "at most 106 fit") {
		t.Errorf("107 bytes: %v\n%s", err, out)
	}
}
