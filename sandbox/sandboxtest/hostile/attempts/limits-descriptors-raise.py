# raise one's own limit of open files
import resource
_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (max(hard, 10_000), max(hard, 10_000)))
