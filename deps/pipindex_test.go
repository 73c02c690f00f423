package deps

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// pipIndex is a simple index on loopback, with wheels and sources made in the test.
type pipIndex struct {
	*httptest.Server
	mu    sync.Mutex
	files map[string][]byte // by name
	pages map[string]string // of projects, by name, instead of a list of their files
	fails map[string]int    // the status with which a project's page is answered
	asked []*http.Request

	password string // without which nobody gets anything; "" = none is asked for
}

func newPipIndex(t *testing.T) *pipIndex { return startPipIndex(t, (*httptest.Server).Start) }

// startPipIndex starts one with or without TLS.
func startPipIndex(t *testing.T, start func(*httptest.Server)) *pipIndex {
	x := &pipIndex{files: map[string][]byte{}, pages: map[string]string{}, fails: map[string]int{}}
	x.Server = httptest.NewUnstartedServer(http.HandlerFunc(x.serve))
	start(x.Server)
	t.Cleanup(x.Close)
	return x
}

func (x *pipIndex) serve(w http.ResponseWriter, request *http.Request) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.asked = append(x.asked, request)
	if _, password, _ := request.BasicAuth(); x.password != "" && password != x.password {
		w.Header().Set("WWW-Authenticate", "Basic")
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if name, ok := strings.CutPrefix(request.URL.Path, "/files/"); ok {
		w.Header().Set("Cache-Control", "max-age=3600")
		w.Write(x.files[name])
		return
	}
	project, ok := strings.CutPrefix(request.URL.Path, "/simple/")
	if !ok {
		http.NotFound(w, request)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	if status := x.fails[strings.TrimSuffix(project, "/")]; status != 0 {
		w.WriteHeader(status)
		return
	}
	if page := x.pages[strings.TrimSuffix(project, "/")]; page != "" {
		fmt.Fprint(w, page)
		return
	}
	for name, data := range x.files {
		if strings.HasPrefix(name, strings.TrimSuffix(project, "/")+"-") {
			sum := sha256.Sum256(data)
			fmt.Fprintf(w, "<a href=\"/files/%s#sha256=%s\">%s</a>\n", name, hex.EncodeToString(sum[:]), name)
		}
	}
}

// requests are those that came so far.
func (x *pipIndex) requests() []*http.Request {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.asked)
}

func (x *pipIndex) url() string { return x.URL + "/simple/" }

func (x *pipIndex) publish(name string, data []byte) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.files[name] = data
}

// wheel publishes a wheel with one module, whose text is given.
func (x *pipIndex) wheel(t *testing.T, name, version, text string) {
	t.Helper()
	x.publish(fmt.Sprintf("%s-%s-py3-none-any.whl", name, version), wheelOf(t, name, version, text))
}

func wheelOf(t *testing.T, name, version, text string) []byte {
	t.Helper()
	info := fmt.Sprintf("%s-%s.dist-info/", name, version)
	files := [][2]string{
		{name + ".py", text},
		{info + "METADATA", fmt.Sprintf("Metadata-Version: 2.1\nName: %s\nVersion: %s\n", name, version)},
		{info + "WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"},
	}
	record := ""
	for _, f := range files {
		record += f[0] + ",,\n"
	}
	files = append(files, [2]string{info + "RECORD", record + info + "RECORD,,\n"})
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, f := range files {
		w, err := archive.Create(f[0])
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(f[1]))
	}
	archive.Close()
	return out.Bytes()
}

// source publishes a source archive.
func (x *pipIndex) source(t *testing.T, name, version, probe string) {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	archive := tar.NewWriter(zipped)
	for path, text := range sourceOf(t, name, version, probe) {
		header := &tar.Header{Name: fmt.Sprintf("%s-%s/%s", name, version, path), Mode: 0o644, Size: int64(len(text))}
		if err := archive.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		archive.Write([]byte(text))
	}
	archive.Close()
	zipped.Close()
	x.publish(fmt.Sprintf("%s-%s.tar.gz", name, version), out.Bytes())
}

// sourceOf is a source that brings the backend that builds it, so that nothing else is needed: it first runs probe, then
// makes a wheel.
func sourceOf(t *testing.T, name, version, probe string) map[string]string {
	t.Helper()
	backend := fmt.Sprintf(`
import base64, os
def build_wheel(directory, config_settings=None, metadata_directory=None):
    %s
    file = "%s-%s-py3-none-any.whl"
    with open(os.path.join(directory, file), "wb") as f:
        f.write(base64.b64decode(open("wheel.b64").read()))
    return file
`, strings.ReplaceAll(probe, "\n", "\n    "), name, version)
	return map[string]string{
		"PKG-INFO":       fmt.Sprintf("Metadata-Version: 2.1\nName: %s\nVersion: %s\n", name, version),
		"pyproject.toml": "[build-system]\nrequires = []\nbuild-backend = \"backend\"\nbackend-path = [\".\"]\n",
		"backend.py":     backend,
		"wheel.b64":      base64Of(wheelOf(t, name, version, "built = True\n")),
	}
}
