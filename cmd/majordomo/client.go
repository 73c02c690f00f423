package main

import (
	"net"
	"path/filepath"

	"majordomo/configs"
	"majordomo/supervisor/api"
)

// client talks to the daemon that the flags and the environment name.
func (a *app) client() *api.Client { return api.NewClient(a.socket()) }

func (a *app) socket() string {
	state := a.state
	if state == "" {
		state = a.getenv("MAJORDOMO_STATE")
	}
	if state != "" {
		if abs, err := filepath.Abs(state); err == nil {
			state = abs
		}
		return configs.Paths{State: state}.Socket()
	}
	if state = configs.DefaultState(a.getenv); state == "" {
		return configs.ServiceSocket
	}
	own := configs.Paths{State: state}.Socket()
	if !answers(own) && answers(configs.ServiceSocket) {
		return configs.ServiceSocket
	}
	return own
}

func answers(socket string) bool {
	conn, err := net.Dial("unix", socket)
	if err == nil {
		_ = conn.Close()
	}
	return err == nil
}
