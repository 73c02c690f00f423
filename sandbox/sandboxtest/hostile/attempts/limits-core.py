# leave one's memory behind as a core file
import resource
if resource.getrlimit(resource.RLIMIT_CORE)[1] == 0:
    raise SystemExit("no core files")
