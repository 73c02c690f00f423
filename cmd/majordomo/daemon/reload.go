package daemon

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"

	"go.uber.org/zap"

	"majordomo/configs"
	"majordomo/configs/watch"
	"majordomo/sandbox"
	"majordomo/supervisor"
	"majordomo/supervisor/api"
	"majordomo/supervisor/process"
)

// reloader brings a changed configuration into force while the daemon runs: read and checked as a whole, or not at all.
// It owns one goroutine that waits for SIGHUP, and the watch of the file.
type reloader struct {
	source   configs.Source
	core     *supervisor.Supervisor
	launcher *process.Launcher
	host     *sandbox.Host
	log      *zap.Logger

	watch *watch.Watch // nil where the file cannot be watched
	hup   chan os.Signal
	done  sync.WaitGroup

	mu     sync.Mutex // protects the fields below, and is held through a reload
	config configs.Config
	state  api.ConfigState
}

// followConfig has the configuration read again while the daemon runs.
func (b *builder) followConfig(context.Context) error {
	b.reloader = &reloader{source: b.Source, core: b.core, launcher: b.launcher, host: b.host, config: b.Config, log: b.Log.Named("config")}
	b.onStart("configuration", b.reloader.begin)
	b.onStop("configuration", b.reloader.end)
	return nil
}

// begin watches the file and listens for SIGHUP.
func (r *reloader) begin(context.Context) error {
	r.state = api.ConfigState{File: r.source.Path(), Waiting: []string{}}
	r.watchFile()
	r.hup = make(chan os.Signal, 1)
	if !HangsUp() && !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(r.hup, syscall.SIGHUP)
	}
	r.done.Go(func() {
		for range r.hup {
			r.look()
		}
	})
	return nil
}

// watchFile does without where there is no file, and no place for one.
func (r *reloader) watchFile() {
	if r.state.File == "" {
		return
	}
	var err error
	if r.watch, err = watch.File(r.state.File, r.reload); err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.log.Info("changes of the configuration are read on SIGHUP only", zap.Error(err))
	}
}

// look is for who says that the file has changed.
func (r *reloader) look() {
	if r.watch != nil {
		r.watch.Look()
	} else {
		r.reload()
	}
}

func (r *reloader) end(context.Context) error {
	if r.hup == nil {
		return nil // it never began
	}
	signal.Stop(r.hup)
	close(r.hup)
	r.done.Wait()
	if r.watch == nil {
		return nil
	}
	return r.watch.Close()
}

// reload reads the configuration and puts into force what can be. A bad one changes nothing.
func (r *reloader) reload() {
	r.mu.Lock()
	defer r.mu.Unlock()
	next, err := configs.Load(r.source)
	if err != nil {
		r.refuse(err)
		return
	}
	apply := r.config.Towards(next)
	if len(apply.Now) > 0 {
		before := r.config
		r.config = apply.Config
		r.apply()
		if len(apply.Restart) > 0 {
			r.core.Renew("its limits were changed", func(i supervisor.Instance) bool { return concerns(apply, before, i) })
		}
	}
	r.accept(apply)
}

func (r *reloader) refuse(err error) {
	r.state.Problem = err.Error()
	r.log.Error("the changed configuration cannot be used; the one before stays in force", zap.Error(err))
	r.core.Announce("the changed configuration cannot be used, the one before stays in force: " + err.Error())
}

// accept says by name what is in force now, and what waits for the daemon to be started anew.
func (r *reloader) accept(apply configs.Apply) {
	repaired := r.state.Problem != ""
	r.state.Problem, r.state.Waiting = "", append([]string{}, apply.Later...)
	var said []string
	if len(apply.Now) > 0 {
		said = append(said, "in force now: "+strings.Join(apply.Now, ", "))
	}
	if len(apply.Restart) > 0 {
		said = append(said, "connectors that run and that it concerns are started anew for "+strings.Join(apply.Restart, ", "))
	}
	if len(apply.Later) > 0 {
		said = append(said, "in force when the daemon is started anew: "+strings.Join(apply.Later, ", "))
	}
	if len(said) == 0 && !repaired {
		return
	}
	text := "the configuration was read again; " + strings.Join(append(said, "the rest is as it was"), "; ")
	r.log.Info(text)
	r.core.Announce(text)
}

// current is for the status.
func (r *reloader) current() api.ConfigState {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}
