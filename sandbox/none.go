package sandbox

// hostPath is where a path inside would be on the host. The driver none has no inside: a connector runs in the directory that
// would have been mounted.
func (s Spec) hostPath(p string) string {
	best, source := "", p
	for _, m := range s.Mounts {
		if within(p, m.Target) && len(m.Target) > len(best) {
			best = m.Target
			source = m.hostSource() + p[len(best):]
		}
	}
	return source
}

func (m Mount) hostSource() string {
	if m.Beneath == "" {
		return m.Source
	}
	return m.Beneath + "/" + m.Source
}
