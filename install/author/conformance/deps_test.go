package conformance_test

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"majordomo/install/author/conformance"
	"majordomo/mcpclient/mcptest"
)

// wheel writes a Python package that needs nothing to be installed.
func wheel(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(f)
	for name, text := range map[string]string{
		"helped.py":                     "VALUE = 7\n",
		"helped-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: helped\nVersion: 1.0\n",
		"helped-1.0.dist-info/WHEEL":    "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
		"helped-1.0.dist-info/RECORD":   "helped.py,,\nhelped-1.0.dist-info/METADATA,,\nhelped-1.0.dist-info/WHEEL,,\nhelped-1.0.dist-info/RECORD,,\n",
	} {
		entry, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entry.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// tarball writes a package for node.
func tarball(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	w := tar.NewWriter(z)
	for name, text := range map[string]string{
		"package/package.json": `{"name":"helped","version":"1.0.0","main":"index.js"}`, "package/index.js": "exports.VALUE = 7\n",
	} {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []interface{ Close() error }{w, z, f} {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// needing is a connector whose server imports a package that npm or pip has to install, offline.
func needing(t *testing.T, r mcptest.Runtime) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "fake")
	if err := mcptest.WriteConnector(dir, "fake", r, "good", nil); err != nil {
		t.Fatal(err)
	}
	entry, first := filepath.Join(dir, "server.py"), "import helped\n"
	files := map[string]string{"requirements.txt": "./helped-1.0-py3-none-any.whl\n"}
	if r == mcptest.Node {
		entry, first = filepath.Join(dir, "index.js"), "require('helped');\n"
		files = map[string]string{"package.json": `{"name":"fake","version":"1.0.0","dependencies":{"helped":"file:helped-1.0.0.tgz"}}`}
		tarball(t, filepath.Join(dir, "helped-1.0.0.tgz"))
	} else {
		wheel(t, filepath.Join(dir, "helped-1.0-py3-none-any.whl"))
	}
	program, err := os.ReadFile(entry)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(entry, append([]byte(first), program...), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// What a connector depends on is installed first; where that fails, nothing is started.
func TestDependencies(t *testing.T) {
	for _, r := range []mcptest.Runtime{mcptest.Python, mcptest.Node} {
		t.Run(string(r), func(t *testing.T) {
			t.Parallel()
			dir := needing(t, r)
			report := run(t, dir, patience)
			ok := slices.ContainsFunc(report.Checks, func(c conformance.Check) bool { return c.Name == "dependencies" && c.OK })
			if !ok || slices.Contains(bad(report), "initialize") {
				t.Errorf("%+v", report.Checks)
			}
			for _, name := range []string{"helped-1.0-py3-none-any.whl", "helped-1.0.0.tgz"} {
				_ = os.Remove(filepath.Join(dir, name)) // one of them is there
			}
			if report = run(t, dir, patience); report.OK || !slices.Equal(bad(report), []string{"dependencies"}) {
				t.Errorf("%+v", report.Checks)
			}
		})
	}
}
