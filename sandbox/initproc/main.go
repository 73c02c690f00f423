// Package initproc is the inside of a sandbox: the init that confines itself, starts the connector and stays as its pid 1.
// It must stay tiny: x/sys and the standard library's smallest packages only.
package initproc

import "os"

// Name is argv[0] of an init.
const Name = "majordomo-init"

// Main is the whole program. It never returns.
func Main() { os.Exit(1) }
