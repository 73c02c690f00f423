# put another program in the place of one's own
# held by: mount
import os
copy = __file__ + ".new"
open(copy, "w").write(open(__file__).read())
os.rename(copy, __file__)
