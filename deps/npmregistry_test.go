package deps

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync"
	"testing"
)

// npmPackage is what a publisher would upload: package.json, and other files.
type npmPackage struct {
	manifest map[string]any // name and version among others
	files    map[string]string
}

// npmRegistry is a registry on loopback, with packages made in the test.
type npmRegistry struct {
	*httptest.Server
	base     string // of the addresses it hands out
	mu       sync.Mutex
	tarballs map[string][]byte // by path
	versions map[string]map[string]any
	asked    []*http.Request // for packages and tarballs
	tamper   bool            // hand out other bytes than the digests are of
	fails    map[string]int  // the status with which a package is answered
	hold     chan struct{}   // when not nil, answers wait until it is closed
}

func newNPMRegistry(t *testing.T, packages ...npmPackage) *npmRegistry {
	return startNPMRegistry(t, (*httptest.Server).Start, packages...)
}

// startNPMRegistry starts one with or without TLS.
func startNPMRegistry(t *testing.T, start func(*httptest.Server), packages ...npmPackage) *npmRegistry {
	r := &npmRegistry{tarballs: map[string][]byte{}, versions: map[string]map[string]any{}}
	r.Server = httptest.NewUnstartedServer(http.HandlerFunc(r.serve))
	start(r.Server)
	t.Cleanup(r.Close)
	r.base = r.URL
	for _, p := range packages {
		r.publish(t, p)
	}
	return r
}

func (r *npmRegistry) publish(t *testing.T, p npmPackage) {
	t.Helper()
	name, version := p.manifest["name"].(string), p.manifest["version"].(string)
	tarball := tarballOf(t, p)
	file := fmt.Sprintf("/%s/-/%s-%s.tgz", name, path.Base(name), version)
	sum := sha512.Sum512(tarball)
	described := map[string]any{"dist": map[string]any{
		"tarball": r.base + file, "integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:]),
	}}
	for key, value := range p.manifest {
		described[key] = value
	}
	if scripts, ok := p.manifest["scripts"].(map[string]string); ok && scripts["postinstall"] != "" {
		described["hasInstallScript"] = true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tarballs[file] = tarball
	if r.versions[name] == nil {
		r.versions[name] = map[string]any{}
	}
	r.versions[name][version] = described
}

func (r *npmRegistry) serve(w http.ResponseWriter, request *http.Request) {
	r.mu.Lock()
	hold := r.hold
	r.mu.Unlock()
	if hold != nil {
		select {
		case <-hold:
		case <-request.Context().Done():
			return
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = append(r.asked, request)
	if tarball, ok := r.tarballs[request.URL.Path]; ok {
		if r.tamper {
			tarball = append(bytes.Clone(tarball), 0)
		}
		w.Write(tarball)
		return
	}
	name := strings.TrimPrefix(request.URL.Path, "/")
	if status := r.fails[name]; status != 0 {
		w.WriteHeader(status)
		return
	}
	versions, ok := r.versions[name]
	if !ok {
		http.NotFound(w, request)
		return
	}
	latest := ""
	for version := range versions {
		latest = max(latest, version)
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"name": name, "dist-tags": map[string]string{"latest": latest}, "versions": versions})
}

// requests counts what was asked for, by path.
func (r *npmRegistry) requests() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := map[string]int{}
	for _, request := range r.asked {
		all[request.URL.Path]++
	}
	return all
}

// lockfile is the package-lock.json that npm would write for these packages as direct dependencies, without addresses.
func (r *npmRegistry) lockfile(dependencies map[string]string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	packages := map[string]any{"": map[string]any{"name": "connector", "dependencies": dependencies}}
	for name, version := range dependencies {
		described := r.versions[name][version].(map[string]any)
		entry := map[string]any{"version": version, "integrity": described["dist"].(map[string]any)["integrity"]}
		for _, key := range []string{"bin", "engines", "hasInstallScript"} {
			if value, ok := described[key]; ok {
				entry[key] = value
			}
		}
		packages["node_modules/"+name] = entry
	}
	data, _ := json.MarshalIndent(map[string]any{
		"name": "connector", "lockfileVersion": 3, "requires": true, "packages": packages,
	}, "", "  ")
	return string(data)
}

func tarballOf(t *testing.T, p npmPackage) []byte {
	t.Helper()
	manifest, err := json.Marshal(p.manifest)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	archive := tar.NewWriter(zipped)
	add := func(name, text string) {
		mode := int64(0o644)
		if strings.HasPrefix(text, "#!") {
			mode = 0o755
		}
		if err := archive.WriteHeader(&tar.Header{Name: "package/" + name, Mode: mode, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		archive.Write([]byte(text))
	}
	add("package.json", string(manifest))
	for name, text := range p.files {
		add(name, text)
	}
	archive.Close()
	zipped.Close()
	return out.Bytes()
}
