package e2e

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

const needle = "MAJORDOMO_TEST_NEEDLE"

// hostileHouse is one where ann has let the hostile connector in, and both ann and bob keep notes.
func hostileHouse(t *testing.T, user *syscall.Credential) *house {
	t.Helper()
	h := publicHouse(t, hostileFeed(t), user)
	for _, member := range []string{"ann", "bob"} {
		h.ok("member", "add", member)
	}
	h.ok("install", "notes")
	h.ok("install", "hostile")
	h.ok("activate", "notes", "--member", "ann")
	h.ok("activate", "notes", "--member", "bob")
	h.ok("activate", "hostile", "--member", "ann")
	return h
}

// publicHouse is a running daemon that any user of the host could be.
func publicHouse(t *testing.T, feed string, user *syscall.Credential) *house {
	t.Helper()
	dir := publicDir(t)
	h := &house{
		t: t, bin: filepath.Join(dir, "majordomo"), state: filepath.Join(dir, "state"), feed: feed,
		env: []string{needle + "=of the daemon"}, user: user,
	}
	h.config = filepath.Join(dir, "config.toml")
	write(t, h.config, "[limits]\ndisk_files = 2000\nspawns_per_minute = 0\n")
	for _, name := range []string{"majordomo", "majordomo-init"} {
		h.shell("cp", filepath.Join(filepath.Dir(binary()), name), dir)
	}
	if user != nil {
		h.env = append(h.env, "HOME="+dir)
		if err := os.Chown(dir, int(user.Uid), int(user.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	compileFeed(h)
	h.serve()
	return h
}

// compileFeed makes the index of every connector in the house's feed.
func compileFeed(h *house) {
	h.t.Helper()
	folders, err := filepath.Glob(h.feed + "/*/connector.json")
	if err != nil {
		h.t.Fatal(err)
	}
	var ids []string
	for _, f := range folders {
		ids = append(ids, filepath.Base(filepath.Dir(f)))
	}
	index, err := json.Marshal(ids)
	if err != nil {
		h.t.Fatal(err)
	}
	write(h.t, filepath.Join(h.feed, "index.json"), string(index))
	h.shell(h.bin, "author", "compile", h.feed)
	h.shell("chmod", "-R", "a+rX", h.feed)
}

// publicDir is a temporary directory that everybody can reach.
func publicDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "majordomo-hostile-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// hostileFeed offers the hostile connector and notes.
func hostileFeed(t *testing.T) string {
	t.Helper()
	h := &house{t: t}
	feed := publicDir(t)
	h.shell("cp", "-r", hostileFolder, "../../configs/feed/notes", feed)
	return feed
}

func (h *house) shell(name string, args ...string) {
	h.t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		h.t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// hostile calls a tool of the hostile connector and returns what it says.
func (h *house) hostile(tool string, args map[string]any) (string, error) {
	h.t.Helper()
	text, err := json.Marshal(args)
	if err != nil {
		h.t.Fatal(err)
	}
	out, errs, err := h.run(string(text), "call", "mcp__hostile__"+tool, "-", "--member", "ann")
	if err != nil {
		return "", errors.New(errs)
	}
	return out, nil
}

// targets are what the attempts are after. Each is really there.
func (h *house) targets() map[string]string {
	h.t.Helper()
	for _, member := range []string{"ann", "bob"} {
		h.ok("call", "mcp__notes__add_note", `{"title":"milk","text":"two litres"}`, "--member", member)
	}
	var status struct{ Listen, Socket string }
	h.read(&status, "status")
	hostFile := filepath.Join(publicDir(h.t), "everybody's")
	if err := os.WriteFile(hostFile, nil, 0o666); err != nil {
		h.t.Fatal(err)
	}
	address, port := h.services()
	hostname, err := os.Hostname()
	if err != nil {
		h.t.Fatal(err)
	}
	return map[string]string{
		"STATE": h.state, "DATABASE": filepath.Join(h.state, "majordomo.db"), "KEY": filepath.Join(h.state, "vault.key"),
		"HOMES": filepath.Join(h.state, "homes"), "PACKAGE": filepath.Join(h.state, "connectors", "hostile"),
		"SIBLING_FILE": h.file("ann", "notes"), "MEMBER_FILE": h.file("bob", "notes"), "HOST_FILE": hostFile,
		"SIBLING_PID": strconv.Itoa(h.instanceOf("bob", "notes").PID), "DAEMON_PID": strconv.Itoa(h.daemon.Process.Pid),
		"SOCKET": status.Socket, "LISTEN": status.Listen, "NEEDLE_NAME": needle,
		"ADDRESS": address, "PORT": port, "HOSTNAME": hostname, "ABSTRACT": "majordomo-test-" + port,
	}
}

// file is some file that a connector keeps for a member.
func (h *house) file(member, connector string) string {
	h.t.Helper()
	var found string
	dir := filepath.Join(h.state, "homes", member, ".skald", "mcp", connector)
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.Contains(path, "note") && filepath.Ext(path) != ".py" {
			found = path
		}
		return err
	})
	if found == "" {
		h.t.Fatalf("%s keeps nothing for %s", connector, member)
	}
	return found
}

// services say hello on every address of the host: by TCP, by UDP, and on an abstract socket.
func (h *house) services() (address, port string) {
	h.t.Helper()
	streams, err := net.Listen("tcp", ":0")
	if err != nil {
		h.t.Fatal(err)
	}
	_, port, _ = net.SplitHostPort(streams.Addr().String())
	packets, err := net.ListenPacket("udp", ":"+port)
	if err != nil {
		h.t.Fatal(err)
	}
	abstract, err := net.Listen("unix", "@majordomo-test-"+port)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { streams.Close(); packets.Close(); abstract.Close() })
	go greet(streams)
	go greet(abstract)
	go greetPackets(packets)
	return ownAddress(h.t), port
}

func greet(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		c.Write([]byte("hello"))
		c.Close()
	}
}

func greetPackets(l net.PacketConn) {
	for buffer := make([]byte, 64); ; {
		_, from, err := l.ReadFrom(buffer)
		if err != nil {
			return
		}
		l.WriteTo([]byte("hello"), from)
	}
}

// ownAddress is one of the host's that is not loopback, where it has one.
func ownAddress(t *testing.T) string {
	t.Helper()
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.To4() != nil && !ip.IP.IsLoopback() {
			return ip.IP.String()
		}
	}
	return "127.0.0.1"
}

func (h *house) instanceOf(member, connector string) instance {
	h.t.Helper()
	for _, i := range h.instances() {
		if i.Member == member && i.Connector == connector {
			return i
		}
	}
	h.t.Fatalf("%s has no %s", member, connector)
	return instance{}
}

// undisturbed checks that a connector is the same process as before and answers, and with it the daemon.
func (h *house) undisturbed(before instance) {
	h.t.Helper()
	after := h.instanceOf(before.Member, before.Connector)
	if after.PID != before.PID || after.Restarts != before.Restarts || after.State != "ready" {
		h.t.Errorf("%s of %s noticed: it was %+v and is %+v", before.Connector, before.Member, before, after)
	}
	h.ok("call", "mcp__notes__list_notes", "--member", before.Member)
}
