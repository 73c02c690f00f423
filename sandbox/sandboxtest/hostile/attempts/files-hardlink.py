# escape by a hard link
# held by: mount, landlock
import os
from attack import target
for directory in (os.getcwd(), os.path.dirname(target("HOST_FILE"))):
    link = os.path.join(directory, "second-name")
    try:
        os.link(target("KEY"), link)
        os.remove(link)
        break
    except OSError as error:
        why = error
else:
    raise why
