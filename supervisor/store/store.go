// Package store takes possession of a state directory: one daemon owns it, its
// directory is private, its database is open.
//
// It must never be opened by anything but the daemon, and knows no table. It
// starts no goroutine.
package store

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"majordomo/configs"
	"majordomo/configs/database"
	"majordomo/configs/humanize"
)

// Store is an owned state directory.
type Store struct {
	// DB is the one database of this state directory.
	DB *sql.DB

	lock *os.File
}

// Open creates the state directory where it is missing, makes it private,
// takes its lock and opens its database. A second Open, by any process, fails
// with a HeldError until the first is closed or its process is dead.
func Open(p configs.Paths) (*Store, error) {
	if err := private(p.State); err != nil {
		return nil, fmt.Errorf("cannot use state directory %s: %w; name another with --state", p.State, err)
	}
	lock, err := acquire(p)
	if err != nil {
		return nil, err
	}
	db, err := database.Open(p.Database())
	if err != nil {
		lock.Close()
		return nil, err
	}
	return &Store{DB: db, lock: lock}, nil
}

// Close closes the database and lets the state directory go.
func (s *Store) Close() error {
	return errors.Join(s.DB.Close(), s.lock.Close())
}

// private makes dir ours and nobody else's, from its first instant.
func private(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return naming(dir, err)
	}
	fi, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if !fi.IsDir() {
		return errors.New("it is not a directory")
	}
	if fi.Mode().Perm() == 0o700 {
		return nil
	}
	return naming(dir, os.Chmod(dir, 0o700))
}

// naming says what is in the way, where that is not dir itself.
func naming(dir string, err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok && at.Path != dir {
		return fmt.Errorf("%s: %w", at.Path, humanize.Error(err))
	}
	return humanize.Error(err)
}
