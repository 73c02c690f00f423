// Package screen is how a verb shows things to a person: text that cannot steer the terminal, tables, amounts, and one line
// of progress that is drawn over.
//
// It must never read what it is asked to show from anywhere but its arguments, and knows no verb. Progress on a
// terminal owns one goroutine, which End waits for.
package screen
