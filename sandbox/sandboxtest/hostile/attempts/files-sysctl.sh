# rename the host by a setting of the kernel
# held by: mount, landlock
: >> /proc/sys/kernel/hostname
