package develop

import (
	"context"
	"slices"
	"strings"
	"time"

	"majordomo/cmd/majordomo/screen"
	"majordomo/configs/manifest"
	"majordomo/install/author"
)

// settle is how long a file that has become empty is taken for one that is being written: editors empty it first.
const settle = time.Second

// readFolder reads the folder, and sends what it ships when that is not what runs. Unless sure, a file that has become
// empty is given time.
func (l *Loop) readFolder(ctx context.Context, sure bool) {
	draft, err := author.Read(l.Dir)
	l.lint(draft.Report)
	if err == nil {
		err = draft.Release.Installable()
	}
	if err != nil {
		l.dropPending()
		l.broken(err)
		return
	}
	files := draft.Release.Files
	switch {
	case l.pending.number != 0 && slices.Equal(files, l.pending.files):
	case slices.Equal(files, l.running.files):
		l.dropPending()
	case !sure && emptied(l.running.files, files):
		l.again.Reset(settle)
	default:
		if before := l.running; before.number != 0 {
			l.Say("changed", strings.Join(differing(before.files, files), ", "))
		}
		l.send(ctx, draft)
	}
}

// lint tells findings, when they are others than before.
func (l *Loop) lint(r author.Report) {
	if slices.Equal(r.Findings, l.report.Findings) {
		return
	}
	l.report = r
	for _, f := range r.Findings {
		where := f.File
		if f.Path != "" {
			where += ": " + f.Path
		}
		l.Say("lint", f.Severity+" "+where+": "+f.Message+"; fix: "+f.Fix+" ["+f.Check+"]")
	}
	l.Say("lint", screen.Count(r.Errors, "error")+", "+screen.Count(r.Warnings, "warning"))
}

// emptied reports whether a file is empty that was not before.
func emptied(before, after []manifest.File) bool {
	return slices.ContainsFunc(before, func(b manifest.File) bool {
		return b.Size > 0 && slices.ContainsFunc(after, func(a manifest.File) bool { return a.Path == b.Path && a.Size == 0 })
	})
}

// differing names the files that are not the same in both.
func differing(before, after []manifest.File) []string {
	var names []string
	for _, f := range slices.Concat(before, after) {
		if !(slices.Contains(before, f) && slices.Contains(after, f)) {
			names = append(names, f.Path)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
