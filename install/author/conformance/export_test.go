package conformance

// Names are those of all checks.
func Names() []string {
	names := []string{"installable", "dependencies", "initialize", "stdout"}
	for _, s := range steps {
		names = append(names, s.name)
	}
	return names
}
