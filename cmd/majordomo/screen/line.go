package screen

import (
	"fmt"
	"time"

	"majordomo/supervisor/api"
)

// stale is the time after which what was said to be left is no longer believed.
const stale = 3 * time.Second

// line is everything there is to say, so long after it came and after its step began.
func line(p api.Progress, since, took time.Duration) string {
	text := headline(p)
	if p.Percent != nil {
		text += fmt.Sprintf(" %d%%", *p.Percent)
	}
	text += counts(p)
	left := time.Duration(p.ETAMS)*time.Millisecond - since
	switch {
	case p.ETAMS > 0 && since < stale:
		text += ", " + clock(max(left, time.Second)) + " left"
	case took >= time.Second:
		text += ", " + clock(took)
	}
	if p.Detail != "" {
		text += "  " + OneLine(p.Detail)
	}
	return text
}

func headline(p api.Progress) string {
	text := p.Phase
	if p.Message != "" {
		text += ": " + p.Message
	}
	return OneLine(text)
}

// size is what a download will be.
func size(p api.Progress) string {
	switch {
	case p.FilesTotal == 0:
		return ""
	case p.BytesTotal == 0:
		return fmt.Sprintf(": %d files", p.FilesTotal)
	}
	return fmt.Sprintf(": %d files, %s", p.FilesTotal, Bytes(p.BytesTotal))
}

func counts(p api.Progress) string {
	if p.FilesTotal == 0 {
		return ""
	}
	files := fmt.Sprintf(", %d/%d files", p.Files, p.FilesTotal)
	if p.BytesTotal == 0 {
		return " " + Bytes(p.Bytes) + files
	}
	return " " + Bytes(p.Bytes) + "/" + Bytes(p.BytesTotal) + files
}
