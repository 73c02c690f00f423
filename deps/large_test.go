package deps

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A large tree as people have it, with parts of WebAssembly and scripts of its own, locked first as a publisher would; skipped by
// name where the registry does not answer.
func TestLargeTree(t *testing.T) {
	if os.Getenv("MAJORDOMO_LONG") == "" {
		t.Skip("TestLargeTree skipped: it takes minutes; ./scripts/test --long runs it")
	}
	l := realLab(t, "npm")
	files := map[string]string{"package.json": depends("@whiskeysockets/baileys", "7.0.0-rc14")}
	files["package-lock.json"] = lockedBy(t.Context(), t, files["package.json"])
	tree := l.must(files)
	checkReadOnly(t, tree.Dir)
	if strings.Contains(strings.Join(tree.Warnings, " "), "package-lock.json") {
		t.Errorf("warnings %q", tree.Warnings)
	}
	say := exec.Command(tool(t, "node").Path, "--input-type=module", "-e", `import { makeWASocket } from "@whiskeysockets/baileys"; console.log(typeof makeWASocket)`)
	say.Dir = tree.Dir
	if out, err := say.CombinedOutput(); err != nil || string(out) != "function\n" {
		t.Errorf("%q, %v", out, err)
	}
}

// lockedBy is the lockfile that the npm of this host makes, with nothing installed.
func lockedBy(ctx context.Context, t *testing.T, manifest string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "package.json"), manifest)
	npm := tool(t, "npm").Command("install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund", "--omit-lockfile-registry-resolved=true")
	cmd := exec.CommandContext(ctx, npm[0], npm[1:]...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return read(t, filepath.Join(dir, "package-lock.json"))
}
