# enter the namespaces of process 1 by a program of the host
# held by: seccomp, caps
# control: none, a container shows nobody the namespaces of its own
nsenter --target 1 --mount --pid true
