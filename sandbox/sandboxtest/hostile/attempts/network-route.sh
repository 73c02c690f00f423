# change the way that packets take
# held by: caps
ip route add blackhole 198.51.100.0/24 && ip route del blackhole 198.51.100.0/24
