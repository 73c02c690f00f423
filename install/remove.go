package install

import (
	"context"
	"fmt"

	"go.uber.org/zap"
)

// Remove takes the package away, and the one it replaced. What members keep is
// not touched.
func (i *Installer) Remove(ctx context.Context, id string) error {
	unlock, err := i.queue.Lock(ctx, id)
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := i.Package(ctx, id); err != nil {
		return err
	}
	if err := i.settle(id); err != nil {
		return fmt.Errorf("cannot remove %s: %w", id, err)
	}
	defer i.tidy(id)
	err = i.moveAway(id) // the commit point
	i.project(ctx, id)
	if err != nil {
		return fmt.Errorf("cannot remove %s: %w", id, err)
	}
	i.log.Info("removed", zap.String("connector", id))
	return nil
}
