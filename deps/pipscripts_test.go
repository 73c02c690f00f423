package deps

import (
	"archive/zip"
	"bytes"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// wheelWith is a wheel with these files beside what every wheel has.
func wheelWith(t *testing.T, name string, files map[string]string) []byte {
	t.Helper()
	info := name + "-1.0.dist-info/"
	all := map[string]string{
		info + "METADATA": fmt.Sprintf("Metadata-Version: 2.1\nName: %s\nVersion: 1.0\n", name),
		info + "WHEEL":    "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
	}
	for file, text := range files {
		if file == "entry_points.txt" {
			file = info + file
		}
		all[file] = text
	}
	record := info + "RECORD,,\n"
	for _, file := range slices.Sorted(maps.Keys(all)) {
		record += file + ",,\n"
	}
	all[info+"RECORD"] = record
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, file := range slices.Sorted(maps.Keys(all)) {
		w, err := archive.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(all[file]))
	}
	archive.Close()
	return out.Bytes()
}

// Two packages that share a namespace, each with a program: neither takes the other's away, and the programs run where the
// tree is on Python's path, which is how connectors run.
func TestProgramsAndNamespaces(t *testing.T) {
	x := newPipIndex(t)
	for _, name := range []string{"one", "two"} {
		x.publish(name+"-1.0-py3-none-any.whl", wheelWith(t, name, map[string]string{
			"shared/" + name + ".py": fmt.Sprintf("def main(): print(%q)\n", name),
			"entry_points.txt":       fmt.Sprintf("[console_scripts]\nsay-%s = shared.%s:main\n", name, name),
		}))
	}
	l := pipLab(t, Options{}, x)
	tree := l.must(map[string]string{"requirements.txt": "one\ntwo\n"})
	says(t, tree, "import shared.one, shared.two")
	for _, name := range []string{"one", "two"} {
		program := exec.Command(filepath.Join(tree.PyDeps, "bin/say-"+name))
		program.Env = []string{"PYTHONPATH=" + tree.PyDeps}
		if out, err := program.CombinedOutput(); err != nil || string(out) != name+"\n" {
			t.Errorf("%q, %v", out, err)
		}
	}
}
