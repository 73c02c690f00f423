// Command majordomo-init is pid 1 of every sandbox. It is started by majordomo, never by hand.
package main

import "majordomo/sandbox/initproc"

func main() { initproc.Main() }
