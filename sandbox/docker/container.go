package docker

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/client"
)

// Container is one that was started. It is safe for concurrent use.
type Container struct {
	engine *Engine
	id     string
	init   *os.Process   // to be killed alone: it is not our child
	fd     int           // pidfd of its init, which watch closes
	gone   chan struct{} // closed when the kernel has ended it and all that was in it
}

// End is how a container ended.
type End struct {
	Code int  // of its init; 128 and more for a signal
	OOM  bool // the kernel killed something in it for lack of memory
	Err  error
}

// Start makes a container and runs its init, which is not waited for. Nothing is left of one that could not be started.
func (e *Engine) Start(ctx context.Context, s Spec) (*Container, error) {
	volumes, err := e.image(ctx)
	if err != nil {
		return nil, err
	}
	made, err := e.api.ContainerCreate(ctx, client.ContainerCreateOptions{
		Name: containerName(s.Name), Config: s.config(e.o.Image, e.o.Owner), HostConfig: s.host(volumes),
	})
	if err != nil {
		return nil, fmt.Errorf("the Docker Engine makes no container: %w", err)
	}
	c := &Container{engine: e, id: made.ID, fd: -1, gone: make(chan struct{})}
	if err := c.start(ctx); err != nil {
		return nil, errors.Join(err, c.remove())
	}
	go c.watch()
	return c, nil
}

// containerName is for people who list containers; the rest of it only keeps one start from another.
func containerName(name string) string {
	tail := make([]byte, 6)
	_, _ = rand.Read(tail) // never fails
	return "majordomo-" + name + "-" + hex.EncodeToString(tail)
}

func (c *Container) start(ctx context.Context) error {
	if _, err := c.engine.api.ContainerStart(ctx, c.id, client.ContainerStartOptions{}); err != nil {
		return &Problem{"the Docker Engine does not start the container: " + err.Error(), startFix(err.Error())}
	}
	seen, err := c.engine.api.ContainerInspect(ctx, c.id, client.ContainerInspectOptions{})
	if err != nil {
		return fmt.Errorf("the Docker Engine does not show the container: %w", err)
	}
	if seen.Container.State == nil || seen.Container.State.Pid <= 0 {
		return errors.New("the container's init has ended at once")
	}
	return c.hold(seen.Container.State.Pid)
}

// startFix says what a person can do where the Engine itself lacks something.
func startFix(said string) string {
	if strings.Contains(said, "apparmor_parser") {
		return "install the package apparmor on this host"
	}
	return ""
}

// ID is the Engine's name for the container, and part of the name of its control group.
func (c *Container) ID() string { return c.id }

// PID is the container's init as this host sees it.
func (c *Container) PID() int { return c.init.Pid }

// removeTime is what the Engine is given to notice an end and to take the container away.
const removeTime = 30 * time.Second

// Wait returns when nothing of the container runs any more and the Engine has removed it, or does not answer: then the next Sweep does. It
// is called once.
func (c *Container) Wait() End {
	<-c.gone
	ctx, cancel := context.WithTimeout(context.Background(), removeTime)
	defer cancel()
	end := c.ask(ctx)
	end.Err = errors.Join(end.Err, c.remove())
	_ = c.init.Release() // never fails
	return end
}

// ask waits until the Engine has noticed the end, and asks it what it saw.
func (c *Container) ask(ctx context.Context) End {
	noticed := c.engine.api.ContainerWait(ctx, c.id, client.ContainerWaitOptions{Condition: container.WaitConditionNotRunning})
	select {
	case <-noticed.Result:
	case err := <-noticed.Error:
		return End{Code: -1, Err: err}
	}
	seen, err := c.engine.api.ContainerInspect(ctx, c.id, client.ContainerInspectOptions{})
	if err != nil || seen.Container.State == nil {
		return End{Code: -1, Err: err}
	}
	return End{Code: seen.Container.State.ExitCode, OOM: seen.Container.State.OOMKilled}
}

// remove does not depend on the context of a start, which may have ended.
func (c *Container) remove() error {
	ctx, cancel := context.WithTimeout(context.Background(), removeTime)
	defer cancel()
	return c.engine.remove(ctx, c.id)
}
