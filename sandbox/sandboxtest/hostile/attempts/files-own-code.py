# change one's own program
# held by: mount
open(__file__, "a").close()
