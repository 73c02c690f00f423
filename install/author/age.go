package author

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"majordomo/configs/manifest"
)

// Age is what an index says of its age: it lets whoever verifies a signature
// refuse an index that was signed once and has been replaced.
type Age struct {
	Sequence int64      // 0 = the last one, and one more when anything else changed
	Expires  *time.Time // nil = as before; the zero time = never
	Signed   bool       // the index will be signed: it has a sequence, and has not expired
}

// CompileAged is Compile for an index whose age is decided by whoever publishes it.
// What connectors.json said of its age before is carried on.
func CompileAged(dir string, a Age) ([]byte, error) {
	abs, isFeed, err := target("compile", dir)
	if err != nil {
		return nil, err
	}
	if !isFeed {
		return nil, &WrongFolderError{"compile", dir, "it is a connector, name the feed that it is in: the folder with " + orderName}
	}
	root := os.DirFS(abs)
	ids, err := order(root)
	if err != nil {
		return nil, err
	}
	have, last, err := lastAge(root, a)
	if err != nil {
		return nil, err
	}
	next, err := a.after(last)
	if err != nil {
		return nil, err
	}
	text, err := compile(root, ids, next)
	if err != nil {
		return nil, err
	}
	if counted := next.sequence > 0 && a.Sequence == 0 && last.sequence > 0; counted && !bytes.Equal(text, have) {
		next.sequence++
		if text, err = compile(root, ids, next); err != nil {
			return nil, err
		}
	}
	return text, check(root, text)
}

// age is how an index states it; zero values are left out.
type age struct {
	sequence int64
	expires  time.Time
}

// lastAge reads connectors.json as it was compiled last, which may be never.
func lastAge(root fs.FS, a Age) (have []byte, last age, err error) {
	have, err = read(root, indexName, manifest.MaxIndex)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, age{}, nil
	}
	if err != nil {
		return nil, age{}, fmt.Errorf("cannot read %s: %w", indexName, err)
	}
	index, err := manifest.ParseIndex(have)
	for _, p := range index.Problems {
		if p.Severity == manifest.Error {
			err = errors.New(p.String())
		}
	}
	// To start again from one would be refused by everybody who saw the sequence.
	if err != nil && bytes.Contains(have, []byte(`"sequence"`)) && a.Sequence == 0 {
		return nil, age{}, fmt.Errorf("cannot tell the last sequence: %s: %w; say the next one with --sequence", indexName, err)
	}
	return have, age{index.Sequence, index.Expires}, nil
}

// after is the age that follows the last one when nothing else has changed.
func (a Age) after(last age) (age, error) {
	next := last
	if a.Expires != nil {
		next.expires = *a.Expires
	}
	if a.Sequence != 0 {
		next.sequence = a.Sequence
	}
	if a.Signed {
		next.sequence = max(next.sequence, 1)
	}
	if next.sequence < last.sequence {
		return age{}, fmt.Errorf("cannot use sequence %d: %s has %d, and an older one is refused wherever that was seen", next.sequence, indexName, last.sequence)
	}
	if (a.Signed || a.Expires != nil) && !next.expires.IsZero() && time.Now().After(next.expires) {
		return age{}, fmt.Errorf("cannot publish %s: it expired at %s; say until when it is good with --expires", indexName, next.expires.Format(time.RFC3339))
	}
	return next, nil
}
