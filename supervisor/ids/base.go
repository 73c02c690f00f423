package ids

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
)

// room is how many ids a base must leave free.
const room = 50_000

// bases are tried in this order. The first lies beyond subordinate ids and what
// systemd gives to containers; the last fits where only 65536 ids exist.
var bases = []int{2_000_000_000, 2_000_000, 200_000, 10_000}

// span is a run of ids: from first, count of them.
type span struct{ first, count int }

func (s span) overlaps(o span) bool { return s.first < o.first+o.count && o.first < s.first+s.count }
func (s span) within(o span) bool   { return o.first <= s.first && s.first+s.count <= o.first+o.count }

// PickBase finds a base whose ids exist in this user namespace and belong to no
// account and no subordinate range (/etc/passwd, group, subuid, subgid).
func PickBase() (int, error) { return pickBase("/") }

func pickBase(root string) (int, error) {
	var taken, mapped []span
	for _, f := range []struct {
		path         string
		first, count int // columns; count 0 = one id
		into         *[]span
	}{
		{"etc/passwd", 2, 0, &taken},
		{"etc/group", 2, 0, &taken},
		{"etc/subuid", 1, 2, &taken},
		{"etc/subgid", 1, 2, &taken},
		{"proc/self/uid_map", 0, 2, &mapped},
	} {
		spans, err := read(root+f.path, f.first, f.count)
		if err != nil {
			return 0, fmt.Errorf("cannot pick uids: %w", err)
		}
		*f.into = append(*f.into, spans...)
	}
	for _, base := range bases {
		want := span{base, room}
		if slices.ContainsFunc(mapped, want.within) && !slices.ContainsFunc(taken, want.overlaps) {
			return base, nil
		}
	}
	return 0, errors.New("cannot pick uids: every range is taken or does not exist here; set sandbox.uid_base in the configuration")
}

// read takes spans from a table with columns separated by colons or spaces.
// Lines that hold none are skipped; a missing file is empty.
func read(path string, first, count int) ([]span, error) {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var spans []span
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		columns := split(lines.Text())
		s := span{count: 1}
		if s.first, err = column(columns, first); err != nil {
			continue
		}
		if count > 0 {
			if s.count, err = column(columns, count); err != nil {
				continue
			}
		}
		spans = append(spans, s)
	}
	return spans, lines.Err()
}

func split(line string) []string {
	if strings.Contains(line, ":") {
		return strings.Split(line, ":")
	}
	return strings.Fields(line)
}

func column(columns []string, n int) (int, error) {
	if n >= len(columns) {
		return 0, errors.New("no such column")
	}
	return strconv.Atoi(columns[n])
}
