# hold a capability
# held by: caps
sets = [line.split()[1] for line in open("/proc/self/status") if line.startswith(("CapPrm", "CapEff", "CapInh", "CapAmb", "CapBnd"))]
if not any(int(s, 16) for s in sets):
    raise SystemExit("all five sets are empty")
