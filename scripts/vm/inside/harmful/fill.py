# fill the disk
# held by: disk
block = bytes(1 << 20)
with open("flood", "wb", buffering=0) as flood:
    for _ in range(300):
        flood.write(block)
