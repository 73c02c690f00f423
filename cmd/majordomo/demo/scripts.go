package demo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"majordomo/configs"
)

// script says how one connector of the example feed is shown.
type script struct {
	id     string
	signIn bool   // by QR code, before the calls
	calls  []call // the last one's answer is the sample
	after  func(v *visit) error
}

// call is one tool call whose answer has to contain want.
type call struct {
	tool string
	args map[string]any
	want string
}

const greeting = "Hello from inside a sandbox."

var scripts = []script{
	{id: "notes", calls: []call{
		{"add_note", map[string]any{"title": "Milk", "text": "two litres"}, "Milk"},
		{"list_notes", nil, "Milk"},
	}},
	{id: "pairing", signIn: true, calls: []call{{"whoami", nil, "Device"}}},
	{id: "files", after: sawFile, calls: []call{
		{"write_file", map[string]any{"path": "/root/files/hello.txt", "content": greeting}, "hello.txt"},
		{"read_text_file", map[string]any{"path": "/root/files/hello.txt"}, greeting},
	}},
	{id: "time", calls: []call{
		{"convert_time", map[string]any{"source_timezone": "UTC", "target_timezone": "Asia/Tokyo", "time": "03:00"}, "T12:00:00+09:00"},
		{"get_current_time", map[string]any{"timezone": "Europe/Rome"}, "Europe/Rome"},
	}},
	{id: "everything", calls: []call{
		{"get-sum", map[string]any{"a": 19, "b": 23}, "42"},
		{"echo", map[string]any{"message": greeting}, greeting},
	}},
}

// sawFile looks from outside for what was written inside: /root/files is the member's own directory.
func sawFile(v *visit) error {
	file := filepath.Join(configs.Paths{State: v.place.state}.Files(v.member), "hello.txt")
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("cannot find in the member's files what was written inside: %w", err)
	}
	if !strings.Contains(string(text), greeting) {
		return fmt.Errorf("cannot find in %s what was written inside: it holds %q", file, text)
	}
	return nil
}
