package install

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"go.uber.org/zap"
)

// Trial is a package that took the place of another and has not shown yet that it
// starts. It is remembered until Proven, over restarts and crashes: as long as it
// is there, somebody has to start it and go back if that fails.
type Trial struct {
	ID       string
	Verb     string // update, install, roll back: for people
	From, To int    // versions
	Members  []string
}

// trialRow is what the database keeps of one. Which package it is about tells the
// time of its receipt: no two of one id share it.
type trialRow struct {
	InstalledAt time.Time `json:"installed_at"`
	Verb        string    `json:"verb"`
	From        int       `json:"from"`
	Members     []string  `json:"members"`
}

// beginTrial writes down, before the commit point, that next will be on trial for
// these members. It means nothing until next is in place.
func (i *Installer) beginTrial(ctx context.Context, verb string, members []string, next receipt) error {
	id := next.Release.ID
	here, err := readReceipt(i.paths.Connector(id), id)
	if err != nil || len(members) == 0 || here.Digest == next.Digest {
		return nil // there is nothing to go back to, or nobody to start it for
	}
	text, err := json.Marshal(trialRow{next.InstalledAt, verb, here.Release.Version, members})
	if err != nil {
		return err
	}
	if err := i.catalog.PutTrial(ctx, id, text); err != nil {
		return err
	}
	i.reached("on trial")
	return nil
}

// Trials lists the packages that are on trial.
func (i *Installer) Trials(ctx context.Context) ([]Trial, error) {
	rows, err := i.catalog.Trials(ctx)
	if err != nil {
		return nil, err
	}
	var trials []Trial
	for id, text := range rows {
		var row trialRow
		if err := json.Unmarshal(text, &row); err != nil {
			return nil, fmt.Errorf("cannot read the trial of %s: %w", id, err)
		}
		here, err := readReceipt(i.paths.Connector(id), id)
		if err == nil && here.InstalledAt.Equal(row.InstalledAt) {
			trials = append(trials, Trial{id, row.Verb, row.From, here.Release.Version, row.Members})
		}
	}
	return trials, nil
}

// Proven ends the trial of id, if there is one: the package stays.
func (i *Installer) Proven(ctx context.Context, id string) error {
	return i.catalog.DeleteTrial(ctx, id)
}

// endStaleTrial ends a trial that is about a package which is not in place any more.
func (i *Installer) endStaleTrial(ctx context.Context, id string) {
	trials, err := i.Trials(ctx)
	for _, t := range trials {
		if t.ID == id {
			return
		}
	}
	if err == nil {
		err = i.catalog.DeleteTrial(ctx, id)
	}
	if err != nil {
		i.log.Warn("cannot forget a trial", zap.String("connector", id), zap.Error(err))
	}
}
