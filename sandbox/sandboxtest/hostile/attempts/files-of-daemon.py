# reach the host through the directories of the daemon
# held by: mount, landlock
from attack import target
open("/proc/" + target("DAEMON_PID") + "/root" + target("KEY"), "rb").read()
