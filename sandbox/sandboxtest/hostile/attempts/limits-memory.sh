# fill the memory from a shell
# held by: memory
head -c 1500M /dev/zero | tail > /dev/null
