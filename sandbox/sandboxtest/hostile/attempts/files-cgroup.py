# leave one's control group
# held by: mount, landlock
import glob, os
groups = glob.glob("/sys/fs/cgroup/cgroup.procs") + glob.glob("/sys/fs/cgroup/*/cgroup.procs")
if not groups:
    raise SystemExit("no control group is in sight")
os.close(os.open(groups[0], os.O_WRONLY))
