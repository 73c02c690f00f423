package feed

// SetRoom makes the bound on a listing's manifests small enough for a test.
func (f *Feed) SetRoom(bytes int64) { f.room = bytes }
