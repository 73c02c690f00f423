package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"majordomo/supervisor/api"
)

// measureInstall: 200 files of a few KiB. Against it stands what shows the least that could be done: the digest of every
// file, a copy of it, and one sync that makes the copy last.
func measureInstall(ctx context.Context, place string, rounds int) (result, error) {
	place = filepath.Join(place, "install")
	feed := filepath.Join(place, "feed")
	random := rand.New(rand.NewPCG(1, 2))
	files := map[string]string{"server.py": "# never started\n"}
	for i := range 197 { // with server.py and the two documents 200 lie there, 199 are shipped
		files[fmt.Sprintf("part%d/file%d.py", i%10, i)] = strings.Repeat("# measured\n", 100+random.IntN(1500))
	}
	if err := connector(feed, "many", "python3", "server.py", files); err != nil {
		return result{}, err
	}
	d, err := startDaemon(ctx, place, feed)
	if err != nil {
		return result{}, err
	}
	defer d.stop()
	source, copied := filepath.Join(feed, "many"), filepath.Join(place, "copy")
	baseline := `set -e; find "$1" -type f -print0 | xargs -0 sha256sum >"$2.sums"; cp -a "$1" "$2"; sync -f "$2"`
	ours, against, err := inTurn(ctx, rounds,
		func(int) (time.Duration, error) {
			took, err := timed(func() error {
				_, err := d.Install(ctx, api.InstallRequest{Connector: "many"}, nil)
				return err
			})
			if err == nil {
				_, err = d.Remove(ctx, "many", true)
			}
			return took, err
		},
		func(int) (time.Duration, error) {
			took, err := timed(func() error { return exec.CommandContext(ctx, "sh", "-c", baseline, "sh", source, copied).Run() })
			if err == nil {
				err = os.RemoveAll(copied)
			}
			return took, err
		})
	if err != nil {
		return result{}, err
	}
	times := ratio(ours, against)
	return result{ours.String(), against.String(), fmt.Sprintf("%.2f times", times), times <= 2}, nil
}
