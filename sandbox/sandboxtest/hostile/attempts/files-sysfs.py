# change the machine by way of /sys
# held by: mount, landlock
import os
for path in ("/sys/kernel/uevent_helper", "/sys/power/state", "/sys/kernel/mm/transparent_hugepage/enabled", "/sys/module", "/sys/fs/cgroup", "/sys/kernel/security"):
    try:
        os.close(os.open(path, os.O_RDONLY if os.path.isdir(path) else os.O_WRONLY))
        break
    except OSError as error:
        why = error
else:
    raise why
