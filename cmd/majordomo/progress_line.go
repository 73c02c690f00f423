package main

import (
	"fmt"
	"strings"
	"time"
	"unicode"

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
		text += "  " + oneLine(p.Detail)
	}
	return text
}

func headline(p api.Progress) string {
	text := p.Phase
	if p.Message != "" {
		text += ": " + p.Message
	}
	return oneLine(text)
}

// size is what a download will be.
func size(p api.Progress) string {
	switch {
	case p.FilesTotal == 0:
		return ""
	case p.BytesTotal == 0:
		return fmt.Sprintf(": %d files", p.FilesTotal)
	}
	return fmt.Sprintf(": %d files, %s", p.FilesTotal, amount(p.BytesTotal))
}

func counts(p api.Progress) string {
	if p.FilesTotal == 0 {
		return ""
	}
	files := fmt.Sprintf(", %d/%d files", p.Files, p.FilesTotal)
	if p.BytesTotal == 0 {
		return " " + amount(p.Bytes) + files
	}
	return " " + amount(p.Bytes) + "/" + amount(p.BytesTotal) + files
}

// amount is a number of bytes for a person.
func amount(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 1000_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

func clock(d time.Duration) string {
	seconds := int(d.Round(time.Second).Seconds())
	if seconds >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	}
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// cut shortens a line to so many columns. A character that may be wide counts as two: a line that is too short harms nobody.
func cut(s string, columns int) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r >= 0x1100:
			columns -= 2
		default:
			columns--
		}
		if columns < 0 {
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}
