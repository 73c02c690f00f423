package docker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/client"
)

// DefaultAddress is where an Engine listens that nobody has told otherwise.
const DefaultAddress = "unix:///var/run/docker.sock"

// label marks our containers; its value tells whose they are.
const label = "majordomo.owner"

// Options of an Engine. Image and Owner are required.
type Options struct {
	Address string // unix:// and a path, "" = DefaultAddress. Containers show directories of this host: no other machine's Engine will do
	Image   string // has the interpreters; everything else of a container is ours
	Owner   string // tells the containers of one daemon from those of another
}

// Engine is one Docker Engine on this host. It is safe for concurrent use.
type Engine struct {
	o   Options
	api *client.Client
}

// Problem is why an Engine is of no use, and what a person can do about it.
type Problem struct{ Reason, Fix string }

func (p *Problem) Error() string { return p.Reason }

// Open checks the options. The Engine is not asked for anything yet: it may be started later than we are.
func Open(o Options) (*Engine, error) {
	if o.Address == "" {
		o.Address = DefaultAddress
	}
	switch {
	case !strings.HasPrefix(o.Address, "unix:///"):
		return nil, fmt.Errorf("cannot use the Docker Engine at %q: want unix:// and an absolute path, since a connector is shown directories of this host", o.Address)
	case o.Image == "":
		return nil, errors.New("cannot use the Docker Engine: no image is named")
	case o.Owner == "":
		return nil, errors.New("cannot use the Docker Engine: no owner of the containers")
	}
	api, err := client.New(client.WithHost(o.Address))
	if err != nil {
		return nil, fmt.Errorf("cannot use the Docker Engine at %s: %w", o.Address, err)
	}
	return &Engine{o, api}, nil
}

// Close lets go of the connections. Containers run on.
func (e *Engine) Close() error { return e.api.Close() }

// askTime bounds one request that the Engine answers at once, or not at all.
const askTime = 10 * time.Second

// Ready is nil where the Engine answers and has the image, and else a *Problem.
func (e *Engine) Ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	if _, err := e.api.Ping(ctx, client.PingOptions{NegotiateAPIVersion: true}); err != nil {
		return &Problem{
			fmt.Sprintf("the Docker Engine at %s does not answer: %v", e.o.Address, err),
			"start it (systemctl start docker), or say in sandbox.engine where it listens",
		}
	}
	_, err := e.image(ctx)
	return err
}

// image returns the directories for which the image would have the Engine make a volume, which a connector could fill.
func (e *Engine) image(ctx context.Context) (volumes []string, err error) {
	found, err := e.api.ImageInspect(ctx, e.o.Image)
	switch {
	case errdefs.IsNotFound(err):
		return nil, &Problem{
			fmt.Sprintf("the Docker Engine has no image %q", e.o.Image),
			"build it with ./scripts/image, or docker pull it, or name another one in sandbox.image",
		}
	case err != nil:
		return nil, &Problem{fmt.Sprintf("the Docker Engine does not show the image %q: %v", e.o.Image, err), ""}
	}
	if found.Config != nil {
		for dir := range found.Config.Volumes {
			volumes = append(volumes, dir)
		}
	}
	return volumes, nil
}

// Sweep removes, running or not, every container of this owner, and returns how many there were. It must not be called while any is wanted.
func (e *Engine) Sweep(ctx context.Context) (removed int, err error) {
	list, err := e.api.ContainerList(ctx, client.ContainerListOptions{All: true, Filters: make(client.Filters).Add("label", label+"="+e.o.Owner)})
	if err != nil {
		return 0, fmt.Errorf("cannot list the containers of an earlier daemon: %w", err)
	}
	var errs []error
	for _, c := range list.Items {
		if err := e.remove(ctx, c.ID); err != nil {
			errs = append(errs, err)
			continue
		}
		removed++
	}
	return removed, errors.Join(errs...)
}

// remove ends a container and takes it away with what it wrote. One that is gone is no error.
func (e *Engine) remove(ctx context.Context, id string) error {
	_, err := e.api.ContainerRemove(ctx, id, client.ContainerRemoveOptions{Force: true, RemoveVolumes: true})
	if err != nil && !errdefs.IsNotFound(err) {
		return fmt.Errorf("cannot remove the container %.12s: %w", id, err)
	}
	return nil
}
