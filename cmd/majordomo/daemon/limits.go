package daemon

import (
	"majordomo/configs"
	"majordomo/sandbox"
	"majordomo/supervisor"
	"majordomo/supervisor/process"
)

// What the configuration says, in the words of the rooms that hold it to that.

func layers(names []string) []sandbox.Layer {
	all := make([]sandbox.Layer, len(names))
	for i, name := range names {
		all[i] = sandbox.Layer(name)
	}
	return all
}

// policy is what the sandbox demands of every start.
func policy(c configs.Sandbox) sandbox.Policy {
	return sandbox.Policy{Required: layers(c.Required), Network: c.Network}
}

// messages bound what connectors send.
func messages(c configs.Limits) process.Messages {
	m := process.Messages{One: int64(c.Message), Of: make(map[string]int64, len(c.MessageOf)), All: int64(c.Messages)}
	for id, size := range c.MessageOf {
		m.Of[id] = int64(size)
	}
	return m
}

// bounds are the limits that the core keeps to.
func bounds(c configs.Limits) supervisor.Limits {
	return supervisor.Limits{
		StartTimeout: c.StartTimeout.Std(), CallTimeout: c.CallTimeout.Std(), CallCeiling: c.CallCeiling.Std(),
		Idle: c.Idle.Std(), IdleAlso: c.IdleAlso,
		Instances: c.Instances, Member: c.MemberInstances, Spawns: c.SpawnsPerMinute, Starts: c.Starts,
	}
}

// totals are what the sandbox holds all connectors of one member to.
func totals(c configs.Limits) sandbox.Totals {
	return sandbox.Totals{Memory: int64(c.MemberMemory), Pids: c.MemberPIDs, CPU: c.MemberCPU}
}

// limits are those that the sandbox enforces.
func limits(c configs.Limits) sandbox.Limits {
	return sandbox.Limits{Memory: int64(c.Memory), Pids: c.PIDs, CPU: c.CPU, Disk: int64(c.Disk), Inodes: c.DiskFiles}
}
