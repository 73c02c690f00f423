# climb out by characters that look like dots and slashes
# held by: mount, landlock
# control: none, the kernel takes them for letters everywhere
from attack import target
for climb in ("\u2025\u2215", "\uff0e\uff0e\uff0f", "..\u2044", "%2e%2e%2f", "..\\"):
    try:
        open("/" + climb * 20 + target("KEY")[1:], "rb").read()
        break
    except OSError as error:
        why = error
else:
    raise why
