package configs

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"majordomo/configs/humanize"
)

//go:embed default.toml
var defaults string

// Source says where a configuration comes from. The zero value is what `majordomo serve` without flags uses.
type Source struct {
	File   string // --config; "" = the default file, which may be missing
	State  string // --state; "" = MAJORDOMO_STATE, else DefaultState
	Feed   string // --feed; "" = MAJORDOMO_FEED, else the file
	Listen string // --listen; "" = the file

	Getenv func(string) string // nil = the process environment
}

// Path is the file that Load reads where it exists, absolute; "" when there is no place for one.
func (s Source) Path() string {
	file := s.File
	if file == "" {
		file = defaultFile(os.Getuid(), orEnviron(s.Getenv))
	}
	if abs, err := filepath.Abs(file); err == nil && file != "" {
		file = abs
	}
	return file
}

// Load reads and checks a configuration: flag over environment over file over default. Every problem found is in the
// error, each with its file, line and key where it has one.
func Load(s Source) (Config, error) {
	getenv := orEnviron(s.Getenv)
	var c Config
	err := decode("default.toml", defaults, &c)
	if err != nil {
		return Config{}, err
	}
	unread := readFile(s.File, getenv, &c)
	c.State = first(s.State, getenv("MAJORDOMO_STATE"), DefaultState(getenv))
	if c.Feed.URL, err = feedFrom(first(s.Feed, getenv("MAJORDOMO_FEED")), c.Feed.URL); err != nil {
		return Config{}, err
	}
	c.Listen = first(s.Listen, c.Listen)
	if c.State == "" {
		return Config{}, errors.New("cannot choose a state directory: HOME is not set; say --state or set MAJORDOMO_STATE")
	}
	if c.State, err = filepath.Abs(c.State); err != nil {
		return Config{}, fmt.Errorf("cannot use the state directory: %w", err)
	}
	if err := errors.Join(unread, c.Validate()); err != nil {
		return Config{}, err
	}
	return c, nil
}

func readFile(file string, getenv func(string) string, c *Config) error {
	explicit := file != ""
	if !explicit {
		if file = defaultFile(os.Getuid(), getenv); file == "" {
			return nil
		}
	}
	text, err := readSmall(file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !explicit:
		return nil
	case err != nil:
		return fmt.Errorf("cannot read the configuration %s: %w", file, humanize.Error(err))
	}
	return decode(file, string(text), c)
}

// feedFrom lets a person name a directory relative to where they stand; the file may not, it has no such place.
func feedFrom(given, file string) (string, error) {
	if given == "" || strings.Contains(given, "://") {
		return first(given, file), nil
	}
	dir, err := filepath.Abs(given)
	if err != nil {
		return "", fmt.Errorf("cannot use the feed %q: %w", given, err)
	}
	return dir, nil
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// maxFile bounds a configuration file: whoever names a device by mistake is told so.
const maxFile = 1 << 20

func readSmall(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("it is larger than %s: is that a configuration file?", humanize.Bytes(maxFile))
	}
	return text, err
}
