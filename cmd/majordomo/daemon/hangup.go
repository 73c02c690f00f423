package daemon

import "os"

// HangsUp reports whether SIGHUP means that this program's terminal is closed. Without a terminal it is how people, and
// service managers, ask a daemon to read its configuration again.
func HangsUp() bool {
	tty, err := os.Open("/dev/tty")
	if err == nil {
		_ = tty.Close()
	}
	return err == nil
}
