# set the clock to another day
# held by: seccomp
import time
time.clock_settime(time.CLOCK_REALTIME, time.time() + 86400)
