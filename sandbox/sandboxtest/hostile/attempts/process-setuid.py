# become root by every setuid program of the host
# held by: no_new_privs
import os, subprocess
for name in ("su", "sudo", "pkexec", "mount", "newgrp"):
    path = "/usr/bin/" + name
    if os.path.exists(path) and os.stat(path).st_mode & 0o4000:
        break
else:
    raise SystemExit("the host has none")
script = "import os; os.setresuid(0, 0, 0)"
done = subprocess.run(["su", "root", "-c", "id -u"], stdin=subprocess.DEVNULL, capture_output=True)
if done.stdout.strip() != b"0":
    raise SystemExit(done.stderr.decode() or "it gave nothing")
