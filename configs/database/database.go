// Package database opens the daemon's one SQLite file and moves its tables
// forward. It is for rooms that remember something: each brings its own list of
// steps and never sees the tables of another.
//
// It must never know what is in a table, and never moves a schema backwards. It
// starts no goroutine; the *sql.DB belongs to whoever called Open.
package database

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"

	// The pure Go SQLite driver, so that the product stays one static binary.
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"majordomo/configs/humanize"
)

// pragmas hold for every connection. WAL with synchronous=FULL makes a commit
// durable; secure_delete overwrites what a revoke removes.
var pragmas = []string{
	"journal_mode(WAL)",
	"synchronous(FULL)",
	"foreign_keys(1)",
	"busy_timeout(5000)",
	"secure_delete(1)",
}

// Open opens or creates the database at path, in a directory that exists. The
// file is 0600 from its first instant; SQLite gives its journals the same mode.
//
// The handle has exactly one connection: writers queue instead of failing, and
// a caller must finish with its Rows before it asks for anything else.
func Open(path string) (*sql.DB, error) {
	if err := private(path); err != nil {
		return nil, fmt.Errorf("cannot open database %s: %w", path, humanize.Error(err))
	}
	db, err := sql.Open("sqlite", dsn(path))
	if err != nil {
		return nil, fmt.Errorf("cannot open database %s: %w", path, err)
	}
	db.SetMaxOpenConns(1)
	if err := db.Ping(); err != nil {
		db.Close()
		return nil, Explain(fmt.Errorf("cannot open database %s: %w", path, err))
	}
	return db, nil
}

// Explain adds to an error of this database what a person can do, where it is the disk that is at fault.
func Explain(err error) error {
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code()&0xff == sqlite3.SQLITE_FULL {
		return fmt.Errorf("%w; free space on the disk of the state directory and try again", err)
	}
	return err
}

// private makes sure that the file exists and only its owner can read it.
func private(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Chmod(0o600)
}

func dsn(path string) string {
	q := url.Values{"_pragma": pragmas, "_txlock": {"immediate"}}
	u := url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}
	return u.String()
}
