package deps

import (
	"bufio"
	"context"
	"io"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"majordomo/deps/declared"
)

const (
	pipLogName = tmpName + "/pip.log"
	maxPipLog  = 32 << 20
)

// worthy are the lines of pip's log that say why it found nothing. It prints that nothing was found, and no more.
var worthy = regexp.MustCompile(`(Could not fetch URL .*|Skipping link: none of the wheel's tags.*)`)

// runLogged runs pip, and of a failure also returns what it noted and did not print. It is for a step that builds nothing: with a
// log, pip does not print what a build says.
func (j *job) runLogged(ctx context.Context, s step) (result, error) {
	s.args = append(s.args, "--log", path.Join(j.inside(), pipLogName))
	r, err := j.run(ctx, s)
	if err == nil && !r.ok() {
		r.lines = append(j.pipLog(s.hide, missingProject(r)), r.lines...)
		j.lines = r.lines
	}
	return r, err
}

// notes are the lines that came from the log.
func notes(r result) []string {
	return slices.DeleteFunc(slices.Clone(r.lines), func(line string) bool { return !worthy.MatchString(line) })
}

// pipLog reads the log.
func (j *job) pipLog(hide []string, failed string) (lines []string) {
	root, err := os.OpenRoot(j.dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	file, _, err := openRegular(root, pipLogName)
	if err != nil {
		return nil
	}
	defer file.Close()
	hider := hider(hide)
	scanner := bufio.NewScanner(io.LimitReader(file, maxPipLog))
	for scanner.Scan() && len(lines) < keptLines {
		line := worthy.FindString(strings.ToValidUTF8(scanner.Text(), "\ufffd"))
		if line != "" && concerns(line, failed) {
			lines = append(lines, hider.Replace(line))
		}
	}
	return lines
}

var (
	notFound  = re(`No matching distribution found for ([\w.-]+)`)
	wheelFile = regexp.MustCompile(`/([\w.]+)-[^/\s]*\.whl`)
)

// missingProject is the project that pip found nothing of, or "".
func missingProject(r result) string {
	if m := notFound().FindStringSubmatch(strings.Join(r.lines, "\n")); m != nil {
		return m[1]
	}
	return ""
}

// concerns is false of a line on the wheel of another project.
func concerns(line, project string) bool {
	m := wheelFile.FindStringSubmatch(line)
	return m == nil || declared.NormalName(m[1]) == declared.NormalName(project)
}

// refused is true when an index did not answer, or with an error: what it has is not known then.
func refused(r result) bool {
	return unanswered(r) || slices.ContainsFunc(r.lines, func(line string) bool {
		return strings.Contains(line, "Could not fetch URL ") && !strings.Contains(line, ": 404 ")
	})
}
