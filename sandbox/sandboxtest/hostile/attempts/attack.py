"""What the attempts in Python share. An attempt that ends by itself has succeeded; one that is stopped by an error was held."""
import ctypes
import os
import platform

libc = ctypes.CDLL(None, use_errno=True)

# The numbers of system calls that Python has no name for: x86-64, arm64.
NUMBERS = {
    "add_key": (248, 217),
    "bpf": (321, 280),
    "fanotify_init": (300, 262),
    "init_module": (175, 105),
    "io_uring_setup": (425, 425),
    "kexec_load": (246, 104),
    "mount": (165, 40),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pidfd_open": (434, 434),
    "process_vm_readv": (310, 270),
    "ptrace": (101, 117),
    "reboot": (169, 142),
    "setns": (308, 268),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}


def target(name):
    """What the house puts in the way of the attempts, by name."""
    return os.environ["TARGET_" + name]


def call(name, *args):
    """Makes a system call, or raises the error that it is answered with."""
    number = NUMBERS[name][platform.machine() == "aarch64"]
    args = [ctypes.c_long(a) if isinstance(a, int) else a for a in args]
    result = libc.syscall(ctypes.c_long(number), *args)
    if result < 0:
        errno = ctypes.get_errno()
        raise OSError(errno, os.strerror(errno), name)
    return result


def useless(errno, name, *args):
    """Makes a call that can do no harm: who is permitted to make it is told that its arguments are wrong."""
    try:
        call(name, *args)
    except OSError as answer:
        if answer.errno != errno:
            raise
