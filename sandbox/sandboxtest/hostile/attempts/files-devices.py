# open the devices of the machine for writing
# held by: mount, landlock
import os
for path in ("/dev/mem", "/dev/kvm", "/dev/fuse", "/dev/loop-control", "/dev/net/tun", "/dev/vda", "/dev/sda", "/dev/vsock", "/dev/ptmx", "/dev/kmsg"):
    try:
        os.close(os.open(path, os.O_RDWR))
        break
    except OSError as error:
        why = error
else:
    raise why
