# take the terminal away from everybody
# held by: seccomp
# control: none, a control would do it
from attack import call
call("vhangup")
